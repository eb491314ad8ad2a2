// Also floats.
// exit: 1
// error: Assertion failed 1.5 != 2.0: m
import assert;
assertEqual(1.5, 2.0, "m");
