// unsafe_uncached_input_file() is an input() of its own.
// file: a.txt
//| x
// expect: trace: 2
import files;
trace(length(read(unsafe_uncached_input_file("a.txt"))));
