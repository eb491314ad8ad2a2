// Structs that are put into arrays, structs and bags before their fields are set.
// expect: trace: 5,5,5
// expect: trace: 5
type q { int n; }
type p { q a; q b; }
q y, a[];
p x;
bag<q> b;
a[0] = y;
x.a = y;
x.b = x.a;
b += y;
y.n = 5;
trace(a[0].n, x.a.n, x.b.n);
foreach z in b { trace(z.n); }
