// A field that the struct does not have.
// exit: 2
// error: HERE:9: struct P has no field z
type P { int y; }
P p; p.y = 1;
trace(p.z); // here
