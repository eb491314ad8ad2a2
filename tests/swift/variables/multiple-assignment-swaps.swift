// All values are taken before any is assigned, as everywhere.
// expect: trace: 2,1
int a, b;
a, b = b0(), a0();
trace(a, b);
(int o) a0() { o = 1; }
(int o) b0() { o = 2; }
