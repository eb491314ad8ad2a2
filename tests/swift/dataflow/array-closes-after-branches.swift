// A branch that is not yet chosen holds an array open.
// order: exact
// ranks: 2
// expect: trace: choosing
// expect: trace: 1
int a[], n;
trace(size(a));
if (n > 0) { a[0] = 1; }
trace("choosing") => n = 1;
