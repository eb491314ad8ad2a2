// Two structs with the same fields are different types.
// exit: 2
// error: HERE:7: cannot assign to y
type a { int n; }
type b { int n; }
a x = a(1);
b y = x; // here
trace(y.n);
