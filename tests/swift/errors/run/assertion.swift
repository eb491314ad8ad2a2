// A failed assertion.
// exit: 1
// error: HERE: Assertion failed!: the message
import assert;
assert(false, "the message"); // here
