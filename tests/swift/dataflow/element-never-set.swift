// Reading an element that the complete array does not have fails.
// exit: 1
// error: HERE
// error: a[5]
import sys;
int a[];
foreach i in [0:3] { a[i] = i; }
trace(a[5 + argc()]); // here
