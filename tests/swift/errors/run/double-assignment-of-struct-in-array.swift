// Elements that are structs are no exception.
// exit: 1
// error: is assigned twice
type p { int n; }
p a[];
foreach i in [1:4] { a[i %/ 5] = p(i); }
trace(size(a));
