// --simulate runs the script in virtual time.
// opts: --simulate 7
// ranks: 2 100
// expect: trace: done
import sys;
sleep(1000.0) => trace("done");
