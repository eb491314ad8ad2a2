// A wait for a value waits until it is set.
// order: exact
// ranks: 2
// expect: trace: before
// expect: trace: after
int x;
wait (x) { trace("after"); }
trace("before") => x = 1;
