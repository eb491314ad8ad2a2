// Operators of other languages are recognised.
// exit: 2
// error: HERE:11
int a = 1 & 2; // here
trace(a);
