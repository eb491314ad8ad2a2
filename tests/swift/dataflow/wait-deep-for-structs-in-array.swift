// wait deep waits for the fields of structs in an array, too.
// order: exact
// ranks: 2
// expect: trace: set
// expect: trace: 5
import sys;
type s { int n; }
s a[];
a[0] = make();
wait deep (a) { trace(a[0].n); }
(s o) make() { sleep(0.01) => trace("set") => o.n = 5; }
