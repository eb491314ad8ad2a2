// And scala().
// exit: 1
// error: HERE: scala() is not available
import jvm;
trace(scala("1")); // here
