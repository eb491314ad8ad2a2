// A subtype of a struct has its fields.
// expect: trace: 1,2,2
type p { int n; int m; }
type q p;
q x = q(p(1, 2));
p y = x;
trace(x.n, x.m, y.m);
