// A loop may have no iteration; the variable then has its first value.
// expect: trace: 7
int n;
for (n = 7; n < 5; n = n + 1) { trace("never"); }
trace(n);
