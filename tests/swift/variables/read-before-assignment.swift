// A variable may be read above its assignment: the reader waits.
// expect: trace: 12
int a, b;
trace(b);
b = a + 2;
a = 10;
