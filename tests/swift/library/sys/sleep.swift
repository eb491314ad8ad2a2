// sleep() takes a time in seconds; not more than 0 returns at once.
// order: exact
// ranks: 2
// expect: trace: 1
// expect: trace: 2
// expect: trace: 3
import sys;
trace(1) => sleep(0.01) => trace(2) => sleep(-5.0) => sleep(0) => trace(3);
