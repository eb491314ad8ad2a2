// x = x is a mistake.
// exit: 2
// error: HERE:5: variable x is assigned to itself
int x;
x = x; // here
trace(x);
