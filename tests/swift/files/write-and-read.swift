// write() makes a file of exactly the string, and read() gives it back unchanged.
// expect: trace: 12
// expect: trace: line
// expect:   two
// expect: |
import files;
file f = write("line\n  two\n");
trace(length(read(f)) + 2 - 1);
trace(read(f) + "|");
