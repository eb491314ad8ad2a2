// It waits until the array is complete.
// ranks: 2 4
// expect: trace: 45
import stats;
import sys;
int a[];
trace(sum(a));
foreach i in [0:9] { sleep(0.001) => a[i] = i; }
