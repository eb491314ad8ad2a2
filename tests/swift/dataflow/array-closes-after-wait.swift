// So does a wait that contains a write.
// order: exact
// ranks: 2
// expect: trace: now
// expect: trace: 1
int a[];
int gate;
trace(size(a));
wait (gate) { a[0] = 1; }
trace("now") => gate = 1;
