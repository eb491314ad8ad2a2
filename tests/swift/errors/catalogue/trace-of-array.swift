// An array as an argument of trace().
// exit: 2
// error: HERE:7: argument v of function trace must have
int A[] = [1];
trace(A); // here
