// contains() waits until the array is complete.
// ranks: 2 4
// expect: trace: 1,0,1,0
import sys;
int a[], d[string];
foreach i in [0:9] { sleep(0.001) => a[i] = i; }
d["k"] = 1;
trace(contains(a, 9), contains(a, 10), contains(d, "k"), contains(d, ""));
