// Some rows may be assigned as wholes, and others in parts.
// expect: trace: 2,2,1,3
int a[][];
a[0] = [1, 2];
a[1][0] = 3;
trace(size(a), size(a[0]), size(a[1]), a[1][0]);
