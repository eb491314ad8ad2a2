// So it cannot be assigned to an int.
// exit: 2
// error: HERE:11: cannot assign to y: it has type int, but the value has type float
int y = 2 ** 3; // here
trace(y);
