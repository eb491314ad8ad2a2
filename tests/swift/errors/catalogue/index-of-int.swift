// An index into something else than an array.
// exit: 2
// error: HERE:8: only an array can be indexed, but this has type int
int x = 1;
trace(x[0]); // here
