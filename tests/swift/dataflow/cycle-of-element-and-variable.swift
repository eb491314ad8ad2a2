// A variable and an element that is a struct.
// exit: 1
// error: HERE waits for
type p { int n; }
p a[], x;
a[0] = x;
x = a[0];
trace(x.n); // here
