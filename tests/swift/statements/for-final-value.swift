// A variable declared outside has the value for which the condition was false.
// expect: trace: 16,abbbb
int n;
string s;
for (n = 1, s = "a"; n < 10; n = n * 2, s = s + "b") { }
trace(n, s);
