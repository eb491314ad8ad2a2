// A call as a statement may ignore its outputs.
// expect: trace: called
(int x, int y) f() { x = 1; y = 2; trace("called"); }
f();
