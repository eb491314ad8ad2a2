// Or after a for loop.
// expect: trace: 10,9
int a[];
trace(size(a), a[9]);
for (int i = 0; i < 10; i = i + 1) { a[i] = i; }
