// A constant cannot have the name of a function.
// exit: 2
// error: HERE:1: clash is already a global constant
global const int clash = 3;
clash() { trace(1); } // here
