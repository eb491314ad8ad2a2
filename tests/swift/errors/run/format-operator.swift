// Also in the operator %.
// exit: 1
// error: HERE
// error: not enough arguments for all format specifiers
trace("%s %s" % 1); // here
