// And an array.
// opts: --memory 50M
// exit: 1
// error: memory
int a[];
foreach i in [1:5000000] { a[i] = i; }
trace(size(a));
