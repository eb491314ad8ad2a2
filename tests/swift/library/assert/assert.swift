// assert() fails with its message.
// exit: 1
// error: HERE: Assertion failed!: the message
import assert;
assert(1 > 2, "the message"); // here
