// An empty list of outputs may be written.
// expect: trace: 4
() f(int i) { trace(i); }
f(4);
