// A write at the end of a chain holds the array open.
// order: exact
// ranks: 2
// expect: trace: now
// expect: trace: 2
import sys;
int a[];
trace(size(a));
trace("now") => sleep(0.01) => a[0] = 1 => a[1] = 2;
