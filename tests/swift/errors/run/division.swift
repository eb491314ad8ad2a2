// A division by zero.
// exit: 1
// error: HERE: integer division by zero: 12 %/ 0
int e[] = [];
int z = size(e);
trace(12 %/ z); // here
