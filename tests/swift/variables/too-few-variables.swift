// There must be as many variables as values.
// exit: 2
// error: HERE
int a;
a = f(); // here
trace(a);
(int x, int y) f() { x = 1; y = 2; }
