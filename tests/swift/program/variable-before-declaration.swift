// A variable must be declared before its use.
// exit: 2
// error: HERE:7: variable x is not declared
trace(x); // here
int x = 1;
