// split() takes every character of the delimiter as a separator; empty parts stay.
// expect: trace: 3,a,,b
// expect: trace: 3,alpha,beta,gamma
// expect: trace: 3,,a,
// expect: trace: 0,1
// expect: trace: 4,é,→,!
import string;
string a[] = split("a  b");
trace(size(a), a[0], a[1], a[2]);
string b[] = split("alpha,beta;gamma", ",;");
trace(size(b), b[0], b[1], b[2]);
string c[] = split("/a/", "/");
trace(size(c), c[0], c[1], c[2]);
trace(size(split("", ",")), size(split("abc", ",")));
string d[] = split("é→!?", "");
trace(size(d), d[0], d[1], d[2]);
