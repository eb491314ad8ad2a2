// A loop without end does not keep a failure from ending the run.
// exit: 1
// ranks: 3
// error: Assertion failed!: stop
import assert;
import sys;
for (int i = 0; true; i = i + 1) { }
sleep(0.02) => assert(false, "stop");
