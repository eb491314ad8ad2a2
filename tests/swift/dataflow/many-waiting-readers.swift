// Many statements may wait for one value.
// ranks: 2 4
// expect: trace: 2000
import stats;
int x, a[];
foreach i in [1:1000] { a[i] = x; }
trace(sum(a));
x = 2;
