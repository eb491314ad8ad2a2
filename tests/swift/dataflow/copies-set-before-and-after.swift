// Copies of values that are set before or after them.
// expect: trace: 3,4
// expect: trace: 5,1
// expect: trace: 1,5,1
int a, b, c, d;
a = b;
b = 3;
c = 4;
d = c;
trace(a, d);
type p { int n; int a[]; }
p x, y;
int e[] = y.a;
x = y;
y.n = 1;
y.a[0] = 5;
trace(e[0], size(e));
trace(x.n, x.a[0], size(x.a));
