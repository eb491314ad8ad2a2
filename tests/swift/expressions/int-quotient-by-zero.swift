// A division by zero fails with the operands.
// exit: 1
// error: HERE: integer division by zero: 5 %/ 0
import sys;
int zero = argc();
trace(5 %/ zero); // here
