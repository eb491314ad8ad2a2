// input() takes a file that exists.
// expect: trace: first line,given.txt
// file: given.txt
//| first line
import files;
import string;
file f = input("given.txt");
trace(trim(read(f)), filename(f));
