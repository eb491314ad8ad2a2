// An unmapped file has a fresh path that ends in .turbine, in the folder for temporary files.
// env: SWIFT_TMP=own
// before: mkdir own
// expect: trace: 1,.turbine
// after: [ -z "$(ls own)" ]
import files;
import string;
file f = write("x");
wait (f) { trace(find(filename(f), "own/", 0, -1) >= 0, extension(f)); }
