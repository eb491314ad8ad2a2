// += works for bags only.
// exit: 2
// error: HERE
int a[];
a += 1; // here
trace(size(a));
