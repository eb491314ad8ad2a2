// More arguments than parameters.
// exit: 2
// error: HERE:1: too many arguments for f(int a): expected 1, but got 2
f(int a) { trace(a); }
f(1, 2); // here
