// A wait for a struct waits for all fields, and its arrays to be complete.
// order: exact
// ranks: 2
// expect: trace: before
// expect: trace: 2
type s { int n; int a[]; }
s x;
wait (x) { trace(size(x.a)); }
x.n = 1;
x.a[0] = 1;
trace("before") => x.a[1] = 2;
