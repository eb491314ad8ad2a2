// Negative keys and gaps are fine; size counts members.
// expect: trace: 3,7
int a[];
a[-1000000000000] = 1;
a[0] = 2;
a[9000000000000000000] = 4;
trace(size(a), a[-1000000000000] + a[0] + a[9000000000000000000]);
