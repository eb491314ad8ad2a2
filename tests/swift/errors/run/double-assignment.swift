// A second assignment of an element in a loop.
// exit: 1
// error: a[0]
// error: is assigned twice
int a[];
foreach i in [1:4] { a[i %/ 5] = i; }
trace(size(a));
