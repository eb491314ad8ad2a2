// A variable that is never set is no failure if nobody waits for it.
// warning: HERE:7: variable x is not used
// expect: trace: done
import sys;
main {
  int x; // here
  if (argc() > 0) { x = 1; }
  trace("done");
}
