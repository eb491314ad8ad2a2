// Rows of one array.
// exit: 1
// error: HERE waits for
int a[][];
a[0] = a[1];
a[1] = a[0];
trace(size(a[0])); // here
