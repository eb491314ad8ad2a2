// --time ends a run that takes longer, and what it is running.
// needs: parallel
// opts: --time 0.2s
// exit: 1
// ranks: 3
// error: the time limit is over (--time)
// expect: trace: before
import sys;
trace("before");
sleep(3000.0) => trace("never");
app (void v) f() { "sleep" "3000" }
f() => trace("never");
