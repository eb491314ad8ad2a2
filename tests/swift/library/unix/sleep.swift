// sleep() of unix takes an int.
// order: exact
// ranks: 2
// expect: trace: 1
// expect: trace: 2
import unix;
trace(1) => sleep(0) => trace(2);
