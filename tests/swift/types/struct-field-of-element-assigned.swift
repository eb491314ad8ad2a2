// A field of an element cannot be assigned: elements are assigned as wholes.
// exit: 2
// error: HERE
type p { int n; }
p a[];
a[0].n = 1; // here
trace(size(a));
