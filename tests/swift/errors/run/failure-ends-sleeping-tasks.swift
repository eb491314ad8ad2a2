// A failure ends the run at once, whatever else is running.
// needs: parallel
// exit: 1
// ranks: 4
// error: stop
// absent: never
import assert;
import sys;
sleep(3000.0) => trace("never");
app (void v) wait_long() { "sleep" "3000" }
wait_long() => trace("never");
assert(false, "stop");
