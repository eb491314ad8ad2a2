// All statements that may write must have finished.
// ranks: 2 4
// expect: trace: 13
int a[];
trace(size(a));
a[0] = 0;
foreach i in [1:10] { a[i] = i; }
if (size([1:3]) == 3) { a[11] = 11; }
{ a[12] = 12; }
