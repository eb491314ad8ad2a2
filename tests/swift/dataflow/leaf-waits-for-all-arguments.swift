// A leaf function waits for all of its arguments.
// order: exact
// ranks: 2
// expect: trace: first
// expect: trace: 1,2
int a, b;
trace(a, b);
a = 1;
trace("first") => b = 2;
