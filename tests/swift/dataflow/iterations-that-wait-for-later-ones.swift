// An iteration may wait for one that comes later.
// ranks: 2 4
// expect: trace: 100
int a[];
foreach i in [0:99] { a[i] = a[i + 1] + 1; }
a[100] = 0;
trace(a[0]);
