// The names of parameters are different.
// exit: 2
// error: HERE:14: duplicate parameter name a in function f
f(int a, int a) { trace(a); } // here
