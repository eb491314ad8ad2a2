// So is an element of an array that stays open.
// exit: 1
// error: a[1]
int a[];
a[0] = a[1];
a[1] = a[0];
