// There is no conversion of int variables to float.
// exit: 2
// error: HERE:11: cannot assign to f: it has type float, but the value has type int
int i = 1;
float f = i; // here
trace(f);
