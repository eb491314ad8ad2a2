// An exception that is not caught ends the run.
// needs: python
// exit: 1
// error: HERE
// error: ValueError: bad value
import python;
trace(python("raise ValueError('bad value')", "'x'")); // here
