// The value of a constant must be a literal.
// exit: 2
// error: HERE
global const int A = 3 + 4; // here
trace(A);
