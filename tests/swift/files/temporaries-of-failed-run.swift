// A run that fails leaves no temporary files, either.
// exit: 1
// error: stop
import assert;
import files;
file f = write("x");
wait (f) { assert(read(f) == "y", "stop"); }
