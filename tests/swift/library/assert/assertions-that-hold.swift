// Assertions that hold set their output.
// order: exact
// ranks: 2
// expect: trace: 1
// expect: trace: 2
import assert;
assert(1 < 2, "m") => trace(1) =>
assertEqual(3, 3, "m") => assertEqual(0.5, 0.5, "m") => assertEqual(true, true, "m") =>
assertEqual("a", "a", "m") => assertLT(1, 2, "m") => assertLT(1.5, 2.5, "m") =>
assertLTE(2, 2, "m") => assertLTE(2.5, 2.5, "m") => trace(2);
