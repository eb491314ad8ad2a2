// And javascript().
// exit: 1
// error: HERE: javascript() is not available
import jvm;
trace(javascript("1")); // here
