// The second variable is the key.
// expect: trace: a,10
// expect: trace: b,-4
string s[];
s[10] = "a";
s[-4] = "b";
foreach v, k in s { trace(v, k); }
