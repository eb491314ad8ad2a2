// Fewer arguments than parameters.
// exit: 2
// error: HERE:1: too few arguments for f(int a): expected 1, but got 0
f(int a) { trace(a); }
f(); // here
