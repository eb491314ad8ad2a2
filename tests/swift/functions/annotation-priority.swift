// @prio gives a call a priority; results are the same.
// ranks: 2 4
// expect: trace: 30
import stats;
int a[];
foreach i in [1:4] { a[i] = @prio=i square(i); }
trace(sum(a));
(int o) square(int i) { o = i * i; }
