// There is no + in an exponent.
// exit: 2
// error: HERE:11: malformed number 1e+3
float x = 1e+3; // here
