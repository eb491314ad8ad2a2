// A variable that is read and never written.
// exit: 2
// error: HERE:14: x is read here, but never assigned
int x; trace(x); // here
