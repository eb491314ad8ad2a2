// A file that does not exist fails when it is used.
// exit: 1
// error: HERE
// error: input_file: file 'nothing.txt' does not exist
import files;
file f = input("nothing.txt"); // here
trace(read(f));
