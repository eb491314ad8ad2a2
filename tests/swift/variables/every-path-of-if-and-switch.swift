// An if with else, and a switch with default, assign on every path.
// expect: trace: 1,20
int a, b;
int n = 2;
if (n == 2) { a = 1; } else if (n == 3) { a = 2; } else { a = 3; }
switch (n) { case 2: b = 20; case 3: b = 30; default: b = 0; }
trace(a, b);
