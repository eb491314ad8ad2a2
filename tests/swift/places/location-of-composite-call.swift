// A composite function has no place of its own.
// exit: 2
// error: HERE
import location;
int x = @location=locationFromRank(0) f(1); // here
(int o) f(int i) { o = i; }
trace(x);
