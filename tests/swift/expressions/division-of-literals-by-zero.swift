// Literals make no difference: the compiler does not crash, and the run fails.
// exit: 1
// error: integer division by zero
trace(5 %/ 0);
