// The elements of a literal must have one type.
// exit: 2
// error: HERE
int i = 1;
trace([i, 2.5][0]); // here
