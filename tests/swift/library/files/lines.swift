// file_lines() leaves comments and empty lines out, and keeps the numbers of the lines as keys.
// file: a.txt
//| # head
//| one  # first
//|
//|   two
//| three#
// expect: trace: 3,one,two,three
import files;
string l[] = file_lines(input("a.txt"));
trace(size(l), l[1], l[3], l[4]);
