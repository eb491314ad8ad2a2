// A variable alone can start a chain.
// order: exact
// ranks: 2
// expect: trace: before
// expect: trace: 5
int x;
x => trace(x);
trace("before") => x = 5;
