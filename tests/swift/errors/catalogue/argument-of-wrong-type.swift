// An argument of another type.
// exit: 2
// error: HERE:3: argument a of function f must have type int, but this has type string
f(int a) { trace(a); }
f("x"); // here
