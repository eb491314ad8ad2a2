// A composite function with a union.
// exit: 2
// error: HERE
f(int|string a) { } // here
