// The words of a command have the order of their keys.
// expect: trace: a b,0
import sys;
string w[];
w[3] = "b";
w[-1] = "echo";
w[2] = "a";
o, c = system(w);
trace(o, c);
