// A failed comparison.
// exit: 1
// error: HERE: Assertion failed 3 != 4: m
import assert;
int three = 3;
assertEqual(three, 4, "m"); // here
