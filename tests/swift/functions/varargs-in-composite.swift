// A composite function has a fixed number of inputs.
// exit: 2
// error: HERE:17
f(int a, int... b) { trace(a); } // here
