// Variables that need each other.
// exit: 1
// error: waits for
// error: a
int a, b;
a = b + 1;
b = a + 1;
trace(a);
