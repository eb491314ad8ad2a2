// A field is assigned at most once.
// exit: 2
// error: HERE:3: p.x cannot be assigned again: it already has been assigned at
type point { int x; int y; }
point p;
p.x = 1;
p.y = 2;
p.x = 3; // here
trace(p.x, p.y);
