// Operators do not mix int and float variables.
// exit: 2
// error: HERE:9: operator + is not defined for int and float
int i = 1;
trace(i + 2.5); // here
