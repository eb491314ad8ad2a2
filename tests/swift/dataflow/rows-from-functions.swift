// Rows of an array may come from functions that fill them in parts.
// ranks: 2 4
// expect: trace: 4,6
// expect: trace: 0,0
// expect: trace: 1,1
// expect: trace: 2,2
// expect: trace: 3,3
import stats;
int a[][];
foreach i in [0:3] { a[i] = row(i); }
int sums[];
foreach r, i in a { sums[i] = size(r); trace(i, size(r)); }
trace(size(a), sum(sums));
(int o[]) row(int n) { foreach i in [1:n] { o[i] = i; } }
