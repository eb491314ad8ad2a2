// For the same row, it is a second write.
// exit: 1
// error: is assigned twice
// stderr: any
import sys;
int a[][];
a[argc()] = [1, 2];
a[0][5] = 3;
trace(size(a[0]));
