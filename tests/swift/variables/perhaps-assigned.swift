// A variable that only some paths assign causes a warning, and a deadlock if such a path is not taken.
// exit: 1
// warning: HERE:5: x may be read without having been assigned
// error: THERE waits for x (HERE)
// expect: trace: other work
import sys;
int x; // here
if (argc() > 5) { x = 1; }
trace(x); // there
trace("other work");
