// Prints that depend on each other appear in that order, on any number of ranks.
// order: exact
// ranks: 2 3 5
// expect: trace: 1
// expect: trace: 2
// expect: trace: 3
// expect: trace: 4
// expect: trace: 5
import sys;
trace(1) => sleep(0.001) => trace(2) => sleep(0.001) => trace(3) => f(3) => trace(4) => sleep(0.001) => trace(5);
(int o) f(int i) { o = i; }
