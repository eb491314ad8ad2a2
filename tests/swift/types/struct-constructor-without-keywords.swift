// The constructor takes no names.
// exit: 2
// error: HERE
type point { float x; float y; }
point p = point(x=1.0, y=2.0); // here
trace(p.x);
