// Constants cannot be assigned.
// exit: 2
// error: HERE:1
global const int A = 3;
A = 4; // here
