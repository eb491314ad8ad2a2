// A range includes its upper bound.
// expect: trace: 6,1,6
// expect: trace: 5,1,13
// expect: trace: 1,7
int a[] = [1:6];
int b[] = [1:15:3];
trace(size(a), a[0], a[5]);
trace(size(b), b[0], b[4]);
trace(size([7:7]), [7:7][0]);
