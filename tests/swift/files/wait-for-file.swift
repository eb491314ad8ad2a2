// A wait for a file waits for its contents.
// order: exact
// ranks: 2
// expect: trace: before
// expect: trace: 1
import files;
string text;
file f<"a.txt"> = write(text);
wait (f) { trace(file_exists("a.txt")); }
trace("before") => text = "x";
