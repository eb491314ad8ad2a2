// Calls, indices and fields bind closest.
// expect: trace: -3,9.0,6
type p { int n; }
int a[] = [3];
p q = p(6);
trace(-a[0], (0.0 + int2float(a[0])) ** 2.0, -(-q.n));
