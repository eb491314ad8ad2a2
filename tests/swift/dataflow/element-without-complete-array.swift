// An element can be read before its array is complete.
// order: exact
// ranks: 2
// expect: trace: element,5
// expect: trace: complete,2
int a[];
a[0] = 5;
trace("element", a[0]) => a[1] = 6;
trace("complete", size(a));
