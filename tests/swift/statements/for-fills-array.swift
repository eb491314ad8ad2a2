// The body may write to arrays outside.
// expect: trace: 5,16
int a[];
for (int i = 0; i < 5; i = i + 1) { a[i] = i * i; }
trace(size(a), a[4]);
