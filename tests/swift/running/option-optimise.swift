// -O is accepted.
// opts: -O3
// expect: trace: 3
trace(1 + 2);
