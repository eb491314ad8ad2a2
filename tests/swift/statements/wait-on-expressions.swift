// A wait takes expressions; its block is a scope that may assign outer variables.
// expect: trace: 5
int x, y = 4;
wait (y + 1, f(y)) { int z = y + 1; x = z; }
trace(x);
(int o) f(int i) { o = i; }
