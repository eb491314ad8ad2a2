// An array with string keys is not one with int keys.
// exit: 2
// error: HERE:11: cannot assign to b
int a[string] = { "x": 1 };
int b[] = a; // here
trace(size(b));
