// A run that fails ends with 1.
// exit: 1
// error: HERE
import assert;
assert(false, "m"); // here
