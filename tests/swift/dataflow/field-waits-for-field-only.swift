// A field can be read before the others are set.
// order: exact
// ranks: 2
// expect: trace: x,1
// expect: trace: y,2
type point { int x; int y; }
point p;
trace("y", p.y);
p.x = 1;
trace("x", p.x) => p.y = 2;
