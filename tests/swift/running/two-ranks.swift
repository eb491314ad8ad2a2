// One worker and one server are enough for everything.
// ranks: 2
// expect: trace: 1,1,100
import stats;
int a[];
foreach i in [1:100] { a[i] = 1; }
trace(turbine_workers(), adlb_servers(), sum(a));
