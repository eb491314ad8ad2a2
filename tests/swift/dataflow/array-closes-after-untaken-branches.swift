// A branch that is not taken lets an array go.
// expect: trace: 0
// expect: trace: other
int a[], n = 3;
trace(size(a));
if (n > 5) { a[0] = 1; }
switch (n) { case 4: a[1] = 1; default: trace("other"); }
