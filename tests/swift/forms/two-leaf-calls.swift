// A function of two calls that run side by side.
// expect: trace: 7
trace(f(3, 4));
(int r) f(int i, int j) { int x = F(i); int y = G(j); r = x + y; }
(int o) F(int i) { o = i; }
(int o) G(int i) { o = i; }
