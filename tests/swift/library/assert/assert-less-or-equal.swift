// The latter accepts equal values.
// exit: 1
// error: Assertion failed 2.5 > 2.0: m
import assert;
assertLTE(2.5, 2.0, "m");
