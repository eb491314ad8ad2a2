// Work that does not depend on it is done first.
// exit: 1
// ranks: 2 4
// error: waits for a
// stderr: any
// contains: trace: 100
// contains: trace: 1
int a[];
a[0] = size(a);
foreach i in [1:100] { trace(i); }
