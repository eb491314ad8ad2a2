// A composite function with a variable number of inputs.
// exit: 2
// error: HERE
f(int... a) { } // here
