// Branches that both happen may assign different elements of an array.
// expect: trace: 2
int a[];
int n = 2;
if (n > 1) { a[0] = 1; }
if (n > 0) { a[1] = 1; }
trace(size(a));
