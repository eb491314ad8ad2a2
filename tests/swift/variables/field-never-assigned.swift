// A field that is read must be assigned.
// exit: 2
// error: p.y is read here, but never assigned
type point { int x; int y; }
point p;
p.x = 1;
trace(p.x, p.y);
