// Nor is a second assignment of the same value.
// exit: 1
// error: is assigned twice
int a[];
foreach i in [1:2] { a[i %/ 5] = 7; }
trace(size(a));
