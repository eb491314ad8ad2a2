// What was printed before a failure is not lost.
// exit: 1
// error: stop
// order: exact
// ranks: 2 3
// expect: trace: 1
// expect: trace: 2
// expect: trace: 3
import assert;
trace(1) => trace(2) => trace(3) => assert(false, "stop") => trace("never");
