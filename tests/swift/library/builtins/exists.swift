// exists() tells what is there right now.
// order: exact
// ranks: 2
// expect: trace: 0
// expect: trace: 1
int a[];
trace(exists(a, 5)) => a[5] = 1 => trace(exists(a, 5));
