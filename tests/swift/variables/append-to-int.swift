// It is no shorthand for an addition.
// exit: 2
// error: HERE
int a = 1;
a += 1; // here
trace(a);
