// A struct that was assigned as a whole takes no fields.
// exit: 2
// error: HERE:3: no part of p can be assigned: it was assigned as a whole at
type point { int x; int y; }
point p = point(1, 2);
p.x = 3; // here
trace(p.y);
