// A function may read elements of the array that its results go to.
// ranks: 2 4
// expect: trace: 55,89
int a[];
a[0] = 1;
a[1] = 2;
foreach i in [2:9] { a[i] = next(a, i); }
trace(a[8], a[9]);
(int o) next(int v[], int i) { o = v[i - 1] + v[i - 2]; }
