// Functions and types may be used before they are defined.
// expect: trace: 3,4
pair p = swap(pair(4, 3));
trace(p.a, p.b);
(pair o) swap(pair i) { o = pair(i.b, i.a); }
type pair { int a; int b; }
