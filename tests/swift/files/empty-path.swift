// A file needs a path.
// exit: 1
// error: path
import files;
file f<""> = write("x");
wait (f) { }
