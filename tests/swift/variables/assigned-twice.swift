// A variable is assigned at most once.
// exit: 2
// error: HERE:1: x cannot be assigned again: it already has been assigned at
int x = 1;
x = 2; // here
trace(x);
