// Arrays.
// exit: 1
// error: HERE waits for
int a[], b[];
a = b;
b = a;
trace(size(a)); // here
