// Fields of elements and of results can be read at once.
// expect: trace: 5,6,7
type p { int n; int a[]; }
p ps[];
ps[0] = p(5, [6]);
trace(ps[0].n, ps[0].a[0], f(7).a[0]);
(p o) f(int n) { o = p(0, [n]); }
