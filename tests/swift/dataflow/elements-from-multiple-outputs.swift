// Several elements may be assigned by one call, in a loop.
// ranks: 2 4
// expect: trace: 4,4,9,27
int a[], b[string];
foreach i in [0:3] { a[i], b["k" + i] = f(i); }
trace(size(a), size(b), a[3], b["k3"]);
(int x, int y) f(int i) { x = i * i; y = i * i * i; }
