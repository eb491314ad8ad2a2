// A loop over nothing does nothing.
// expect: trace: 1
int a[] = [];
foreach v in a { trace("never", v); }
trace(1);
