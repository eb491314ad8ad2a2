// A chain after a call waits for the array that it returns.
// order: exact
// ranks: 2
// expect: trace: filled
// expect: trace: after,2
int a[] = f() => trace("after", size(a));
(int o[]) f() { o[0] = 1; trace("filled") => o[1] = 2; }
