// A range with a negative step is empty.
// expect: trace: 0,0
// expect: trace: 0
int s = -1;
trace(size([5:1:s]), size([5:1:-1]));
foreach i in [5:1:-1] { trace("never", i); }
trace(size([1.0:0.0:-0.5]));
