// A call with one output is a value anywhere.
// expect: trace: 7,2,5
trace(f(3) + f(4), size(g(2)), g(5)[0]);
(int o) f(int i) { o = i; }
(int o[]) g(int i) { o[0] = i; o[9] = i; }
