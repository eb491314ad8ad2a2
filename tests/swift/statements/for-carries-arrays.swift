// Loop variables may be arrays.
// expect: trace: 1024,3,2048,10
int a[];
int i;
for (i = 0, a = [1, 2, 3]; i < 10; i = i + 1, a = doubled(a)) { }
trace(a[0], size(a), a[1], i);
(int o[]) doubled(int n[]) { foreach v, k in n { o[k] = 2 * v; } }
