// A second write of the same element fails when it happens, with the place of the assignment.
// exit: 1
// error: a[0]
// error: is assigned twice
import sys;
int a[];
foreach i in [1:3] {
  a[argc()] = i; // here
}
trace(size(a));
