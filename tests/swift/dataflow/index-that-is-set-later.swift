// The index of an element may be set later than the element.
// expect: trace: 7
int a[], i, j;
trace(a[i]);
a[3] = 7;
i = j + 1;
j = 2;
