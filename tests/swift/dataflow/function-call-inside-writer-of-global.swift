// A call whose result goes into an array of the top level may read it.
// ranks: 2 4
// expect: trace: 16
int a[];
a[0] = 1;
foreach i in [1:4] { a[i] = double(i - 1); }
trace(a[4]);
(int o) double(int i) { o = 2 * a[i]; }
