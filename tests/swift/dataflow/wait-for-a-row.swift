// A wait for a row waits until it is complete.
// ranks: 2 4
// expect: trace: 3
import sys;
int a[][];
a[0][0] = 1;
sleep(0.02) => a[0][1] = 2;
a[0][2] = 3;
wait (a[0]) { trace(size(a[0])); }
