// An array of ints is no array of floats.
// exit: 2
// error: HERE:13: cannot assign to b
int a[] = [1, 2];
float b[] = a; // here
trace(size(b));
