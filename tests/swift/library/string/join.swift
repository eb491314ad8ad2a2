// join() takes the members in the order of their keys, without gaps.
// expect: trace: a b c,a,b,c,
// expect: trace: x-y-z,abc
import string;
string a[] = ["a", "b", "c"];
string none[] = [];
trace(join(a), join(a, ","), join(none));
string s[];
s[10] = "z";
s[-3] = "x";
s[0] = "y";
trace(string_join(s, "-"), join(a, ""));
