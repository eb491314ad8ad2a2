// The caller goes on as soon as an output is set, whatever else the body does.
// order: exact
// ranks: 2
// expect: trace: caller,1
// expect: trace: body
int gate;
int x = f(gate);
trace("caller", x) => gate = 1;
(int o) f(int g) { o = 1; wait (g) { trace("body"); } }
