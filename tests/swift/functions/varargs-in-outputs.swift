// Outputs cannot vary, either.
// exit: 2
// error: HERE
(int... o) f(int a) { trace(a); } // here
