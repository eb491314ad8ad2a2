// All fields are needed.
// exit: 2
// error: HERE:11
type point { float x; float y; }
point p = point(1.0); // here
trace(p.x);
