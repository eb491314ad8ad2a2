// An int other than 0 counts as true.
// expect: trace: -1
// expect: trace: zero
int n = -1;
if (n) { trace(n); }
if (n + 1) { trace("never"); } else { trace("zero"); }
