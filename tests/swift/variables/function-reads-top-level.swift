// Variables of the top level are visible in all functions.
// expect: trace: 3,4
int x;
f() { trace(x, a[1]); }
int a[];
f();
x = 3;
a[1] = 4;
