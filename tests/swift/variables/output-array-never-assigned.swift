// The output of a function may be an array that stays empty.
// expect: trace: 0
(int o[]) f() { }
trace(size(f()));
