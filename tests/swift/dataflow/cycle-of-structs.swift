// Structs that are copies of each other.
// exit: 1
// error: HERE waits for
type p { int n; }
p a, b;
a = b;
b = a;
trace(a.n); // here
