// Functions read arrays of the top level, also while they are filled.
// ranks: 2 4
// expect: trace: 7,3
int a[];
foreach i in [0:2] { a[i] = i + 5; }
f(2);
f(int i) { trace(a[i], size(a)); }
