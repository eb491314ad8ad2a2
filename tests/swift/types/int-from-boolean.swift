// A boolean is no int.
// exit: 2
// error: HERE:9: cannot assign to x
int x = true; // here
trace(x);
