// Two parameters of one name.
// exit: 2
// error: HERE:14: duplicate parameter name a in function f
f(int a, int a) { } // here
