// An array assigned as a whole is complete when its source is.
// order: exact
// ranks: 2
// expect: trace: open
// expect: trace: 2,2,2
int a[], b[], c[];
b = a;
c = b;
trace(size(a), size(b), size(c));
a[0] = 1;
trace("open") => a[1] = 2;
