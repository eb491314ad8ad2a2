// A copy of an array that is not complete yet can be read by elements.
// order: exact
// ranks: 2
// expect: trace: 1
// expect: trace: 2
int a[];
int b[] = a;
a[0] = 1;
trace(b[0]) => a[1] = 2;
wait (b) { trace(size(b)); }
