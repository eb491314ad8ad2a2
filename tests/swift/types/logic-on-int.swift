// Logical operators take booleans only.
// exit: 2
// error: HERE:7: operator ! is not defined for int
// error: THERE:9
trace(!1); // here
trace(1 && 0); // there
