// Whether a file exists, and how large it is.
// file: a.txt
//| 12345
// expect: trace: 1,0,6,6,0
import files;
trace(file_exists("a.txt"), file_exists("b.txt"), file_size("a.txt"), file_size0("a.txt"), file_size0("b.txt"));
