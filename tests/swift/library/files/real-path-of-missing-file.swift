// A path that does not exist fails.
// exit: 1
// error: HERE
// error: nothing
import files;
trace(realpath_string("d/nothing")); // here
