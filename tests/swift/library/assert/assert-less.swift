// assertLT() and assertLTE().
// exit: 1
// error: Assertion failed 2 >= 2: m
import assert;
assertLT(2, 2, "m");
