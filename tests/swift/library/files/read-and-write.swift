// read() gives all of a file, unchanged.
// expect: trace:   two
// expect: 
// expect: ,7
import files;
file f<"sub/f.txt"> = write("  two\n\n");
trace(read(f), length(read(f)));
