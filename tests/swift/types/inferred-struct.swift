// The type of a struct or of a result is taken over, too.
// expect: trace: 3,4
type p { int n; }
q = p(3);
r = f();
trace(q.n, r[0]);
(int o[]) f() { o[0] = 4; }
