// Strings are compared as they are.
// exit: 1
// error: Assertion failed a != b: m
import assert;
assertEqual("a", "b", "m");
