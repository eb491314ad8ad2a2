// A wait for an array that nested loops fill.
// ranks: 2 4
// expect: trace: 16
import sys;
int a[int][int];
int n[];
foreach i in [0:3] { foreach j in [0:3] { sleep(0.001) => a[i][j] = 1; } }
wait (a) { foreach r, i in a { n[i] = size(r); } }
import stats;
trace(sum(n));
