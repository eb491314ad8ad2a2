// An int is no boolean.
// exit: 2
// error: HERE:13: cannot assign to b
boolean b = 1; // here
trace(b);
