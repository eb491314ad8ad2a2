// The comment is a regular expression; an empty one switches comments off.
// file: a.txt
//| one // first
//| %two
//| three # 3
// expect: trace: 2,one,three # 3
// expect: trace: 3,one // first,%two
import files;
string l[] = file_lines(input("a.txt"), "//|%");
trace(size(l), l[0], l[2]);
string m[] = file_lines(input("a.txt"), comment="");
trace(size(m), m[0], m[1]);
