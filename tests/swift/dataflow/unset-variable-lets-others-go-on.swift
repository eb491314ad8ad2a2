// What waits for ever does not keep other work from being done.
// exit: 1
// warning: HERE:5
// error: THERE waits for x (HERE)
// expect: trace: 6
import sys;
int x; // here
if (argc() > 0) { x = 1; }
trace(x + 1); // there
trace(1 + 2 + 3);
