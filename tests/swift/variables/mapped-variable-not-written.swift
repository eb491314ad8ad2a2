// A mapped file that is not written causes a warning.
// warning: HERE:6: nothing is written to the file f
// expect: trace: f.txt
file f<"f.txt">; // here
trace(filename(f));
