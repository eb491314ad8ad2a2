// An int variable is not accepted for a float parameter.
// exit: 2
// error: HERE:3: argument x of function f must have type float, but this has type int
int i = 1;
f(i, // here
  2);
f(float x, int y) { trace(x, y); }
