// reduce_splice_string() unites rows.
// expect: trace: 3,a,b,c
import reductions;
string s[][];
s[0][0] = "a";
s[0][1] = "b";
s[1][1] = "b";
s[1][7] = "c";
string u[] = reduce_splice_string(s);
trace(size(u), u[0], u[1], u[7]);
