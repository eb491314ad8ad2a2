// A thousand independent calls.
// ranks: 2 5
// expect: trace: 500500
import stats;
int a[];
foreach i in [1:1000] { a[i] = same(i); }
trace(sum(a));
(int o) same(int i) { o = i; }
