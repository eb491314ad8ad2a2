// file_size() of a missing file fails.
// exit: 1
// error: HERE
// error: 'b.txt'
import files;
trace(file_size("b.txt")); // here
