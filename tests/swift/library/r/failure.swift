// A failure in R ends the run.
// needs: R
// exit: 1
// error: HERE
// error: wrong
import R;
trace(R("stop('wrong')", "'x'")); // here
