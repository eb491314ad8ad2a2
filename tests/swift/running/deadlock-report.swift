// What waits for ever is reported with the lines of all waiting statements and the variables.
// exit: 1
// warning: HERE:5: x may be read
// warning: THERE:5: y may be read
// error: 3 statements wait
// error: deadlock-report.swift:14 waits for x (HERE)
// error: deadlock-report.swift:15 waits for y (THERE)
// error: deadlock-report.swift:16 waits for x (HERE)
import sys;
int x; // here
int y; // there
if (argc() > 0) { x = 1; }
if (argc() > 0) { y = 1; }
trace(x);
trace(y + 1, "never");
wait (x) { trace("never"); }
