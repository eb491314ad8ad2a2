// An array is complete when the last iteration of a loop has written.
// ranks: 2 4
// expect: trace: 20
// expect: trace: 20
import sys;
int a[];
foreach i in [1:20] {
  if (i %% 5 == 0) { sleep(0.01) => a[i] = i; }
  else { a[i] = i; }
}
trace(size(a));
wait (a) { trace(size(a)); }
