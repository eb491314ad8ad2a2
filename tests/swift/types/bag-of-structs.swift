// A struct has its place in a bag, too.
// expect: trace: a1
// expect: trace: b2
type p { string s; int n; }
bag<p> b;
b += p("a", 1);
b += p("b", 2);
foreach x in b { trace(x.s + x.n); }
