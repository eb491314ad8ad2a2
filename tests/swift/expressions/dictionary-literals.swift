// Keys and values of a dictionary can be expressions.
// expect: trace: 2,1,4
// expect: trace: no,yes
// expect: trace: 0
string k = "b";
int d[string] = { "a": 1, k + "b": 2 + 2 };
trace(size(d), d["a"], d["bb"]);
string e[boolean] = { true: "yes", false: "no" };
trace(e[1 > 2], e[1 < 2]);
int f[string] = {};
trace(size(f));
