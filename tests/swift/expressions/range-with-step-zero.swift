// A step of 0 would never end, and fails.
// exit: 1
// error: step is 0
import sys;
int s = argc();
trace(size([1:5:s]));
