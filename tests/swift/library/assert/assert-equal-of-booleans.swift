// And booleans.
// exit: 1
// error: Assertion failed
import assert;
assertEqual(true, false, "m");
