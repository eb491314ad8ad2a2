// Fields of type float take int literals.
// expect: trace: 1.0,2.5
type point { float x; float y; }
point p = point(1, 2.5);
trace(p.x, p.y);
