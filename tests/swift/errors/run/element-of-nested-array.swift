// Also of a row.
// exit: 1
// error: HERE
// error: [7]
int a[][] = [[1, 2], [3]];
trace(a[1][7]); // here
