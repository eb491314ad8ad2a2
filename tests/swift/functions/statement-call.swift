// A call may be a statement, with or without outputs.
// expect: trace: f
// expect: trace: g
f();
g();
f() { trace("f"); }
(int o) g() { trace("g"); o = 1; }
