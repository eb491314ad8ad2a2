// An array that was assigned as a whole takes no elements.
// exit: 2
// error: HERE:2: no part of a can be assigned: it was assigned as a whole at
int a[] = [1, 2];
a[2] = 3; // here
trace(size(a));
