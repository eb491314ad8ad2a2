// The inputs of a function are read-only.
// exit: 2
// error: HERE:12: assigning variable x is not permitted here: it is an input
f(int x) { x = 3; } // here
f(1);
