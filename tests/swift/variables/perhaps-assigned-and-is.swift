// If the path is taken, the script runs with a warning.
// warning: HERE:5: x may be read without having been assigned
// expect: trace: 1
import sys;
int x; // here
if (argc() == 0) { x = 1; }
trace(x);
