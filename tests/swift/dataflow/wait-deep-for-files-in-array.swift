// And for the contents of files.
// order: exact
// ranks: 2
// expect: trace: written
// expect: trace: text
import files;
file a[];
file f<"f.txt">;
a[0] = f;
wait deep (a) { trace(read(a[0])); }
trace("written") => f = write("text");
