// A chain after the assignment of an element waits for the value.
// order: exact
// ranks: 2
// expect: trace: slow
// expect: trace: after,7
int a[];
a[0] = slow() => trace("after", a[0]);
(int o) slow() { trace("slow") => o = 7; }
