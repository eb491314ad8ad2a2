// Several variables take the outputs of a call, in all spellings.
// expect: trace: 1,2,1,2
// expect: trace: 1,2,1,2
int a, b, c, d, e[];
a, b = f();
(c, d) = f();
trace(a, b, c, d);
type s { int n; }
s r;
e[0], r.n = f();
int g, h;
(g, h) = f();
trace(e[0], r.n, g, h);
(int x, int y) f() { x = 1; y = 2; }
