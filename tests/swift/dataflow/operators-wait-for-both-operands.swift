// So do operators.
// order: exact
// ranks: 2
// expect: trace: first
// expect: trace: 3
int a, b;
trace(a + b);
a = 1;
trace("first") => b = 2;
