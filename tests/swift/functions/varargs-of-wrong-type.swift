// Each of them must have one of the types.
// exit: 2
// error: HERE
int a[] = [1];
trace("a", a); // here
