// Structs are copied, stored, passed and returned as wholes.
// expect: trace: 2,3,x,2
type p { int n; string s[]; }
p a = p(2, ["x"]);
p b = a;
p c[];
c[7] = bump(b);
trace(b.n, c[7].n, c[7].s[0], size(two(a).s));
(p o) bump(p i) { o = p(i.n + 1, i.s); }
(p o) two(p i) { o.n = i.n; o.s[0] = i.s[0]; o.s[1] = "y"; }
