// A copy of an array of arrays has all rows.
// ranks: 2 4
// expect: trace: 3,2,5
int a[][];
int b[][] = a;
foreach i in [0:2] { foreach j in [0:1] { a[i][j] = 2 * i + j; } }
trace(size(b), size(b[1]), b[2][1]);
