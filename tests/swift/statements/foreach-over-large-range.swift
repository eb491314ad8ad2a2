// A range in foreach is never held in memory.
// expect: trace: 250
import stats;
int a[];
foreach i in [0:249999] { if (i %% 1000 == 0) { a[i] = 1; } }
trace(sum(a));
