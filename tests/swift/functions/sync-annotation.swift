// @sync before a definition changes nothing.
// expect: trace: 4
@sync (int o) f(int i) { o = 2 * i; }
trace(f(2));
