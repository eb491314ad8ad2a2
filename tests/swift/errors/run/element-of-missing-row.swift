// And a row that does not exist.
// exit: 1
// error: HERE
// error: [5]
int a[][] = [[1, 2], [3]];
trace(a[5][0]); // here
