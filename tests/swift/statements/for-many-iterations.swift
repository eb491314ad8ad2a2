// Many iterations are no problem.
// expect: trace: 20000
int n;
for (n = 0; n < 20000; n = n + 1) { }
trace(n);
