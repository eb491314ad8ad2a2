// An int literal alone makes an int.
// exit: 2
// error: HERE:11: cannot assign to f: it has type float, but the value has type int
x = 1;
float f = x; // here
trace(f);
