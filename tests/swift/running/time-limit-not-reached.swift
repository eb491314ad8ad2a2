// A run that is shorter ends as usual.
// opts: --time 1h
// expect: trace: 1
trace(1);
