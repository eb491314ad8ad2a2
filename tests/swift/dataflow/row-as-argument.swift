// A row is passed to a function before it is filled.
// ranks: 2 4
// expect: trace: 5
import stats;
int a[][];
trace(total(a[1]));
foreach i in [0:1] { foreach j in [0:1] { a[i][j] = 2 * i + j; } }
(int o) total(int r[]) { o = sum(r); }
