// A wait for several things waits for all.
// order: exact
// ranks: 2
// expect: trace: 1
// expect: trace: 2
// expect: trace: all
int a, b[];
void c;
wait (a, b, c, size(b)) { trace("all"); }
b[0] = 1;
trace(1) => a = 1 => trace(2) => c = propagate();
