// The value must be one string.
// needs: R
// exit: 1
// error: HERE
// error: length 2
import R;
trace(R("x <- c('a', 'b')", "x")); // here
