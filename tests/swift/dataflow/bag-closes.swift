// A bag is complete like an array.
// ranks: 2 4
// expect: trace: 9
import sys;
bag<int> b;
foreach i in [1:3] {
  b += i;
  sleep(0.01) => b += i;
  wait (b_of(i)) { b += 10; }
}
trace(bag_size(b));
(void v) b_of(int i) { v = propagate(i); }
