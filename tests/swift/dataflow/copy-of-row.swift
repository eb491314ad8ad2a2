// So has a copy of a row.
// ranks: 2 4
// expect: trace: 2,3
int a[][];
int r[] = a[1];
foreach i in [0:2] { foreach j in [0:1] { a[i][j] = 2 * i + j; } }
trace(size(r), r[1]);
