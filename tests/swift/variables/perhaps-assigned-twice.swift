// Two writes that may both happen cause a warning, and fail if they do.
// exit: 1
// warning: THERE:20: x may be assigned twice
// warning: HERE:5: x may be read without having been assigned
// error: THERE: x
// error: is assigned twice
import sys;
int x; // here
if (argc() == 0) { x = 2; }
if (argc() == 0) { x = 3; } // there
trace(x);
