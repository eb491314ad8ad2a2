// A string may be long.
// expect: trace: 65536
string s;
for (s = "x", int i = 0; i < 16; i = i + 1, s = s + s) { }
trace(length(s));
