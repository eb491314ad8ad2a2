// A function may read its own outputs.
// expect: trace: 3,6
int x, y;
(x, y) = f();
trace(x, y);
(int a, int b) f() { a = 3; b = 2 * a; }
