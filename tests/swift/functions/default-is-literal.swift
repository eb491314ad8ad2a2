// Defaults are literals.
// exit: 2
// error: HERE
f(int a=1 + 2) { trace(a); } // here
f();
