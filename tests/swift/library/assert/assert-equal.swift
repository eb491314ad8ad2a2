// assertEqual() shows both values.
// exit: 1
// error: HERE: Assertion failed 3 != 4: the message
import assert;
assertEqual(3, 4, "the message"); // here
