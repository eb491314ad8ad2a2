// Nor the other way round.
// exit: 2
// error: HERE:1: a cannot be assigned as a whole: a part of it has been assigned at
int a[];
a[2] = 3;
a = [1, 2]; // here
trace(size(a));
