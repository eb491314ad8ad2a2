// pick_regexp() keeps the keys of the members that match.
// expect: trace: 2,apple,grape
// expect: trace: 1,x1
import string;
string l[] = ["apple", "pear", "grape"];
string p[] = pick_regexp("ap", l);
trace(size(p), p[0], p[2]);
string q[] = pick_regexp("^[a-z][0-9]+$", ["x1", "1x", "x"]);
trace(size(q), q[0]);
