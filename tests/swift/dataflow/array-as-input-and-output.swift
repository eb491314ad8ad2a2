// A function can build an array from another that is still being filled.
// ranks: 2 4
// expect: trace: 4,6
int a[], b[];
b = next(a);
a[0] = 1;
foreach i in [1:3] { a[i] = a[i - 1] + 1; }
trace(size(b), b[3] + 1);
(int o[]) next(int i[]) { foreach v, k in i { o[k] = v + 1; } }
