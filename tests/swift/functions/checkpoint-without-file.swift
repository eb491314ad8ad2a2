// Without files for it, @checkpoint changes nothing.
// expect: trace: 4
@checkpoint (int o) f(int i) { o = 2 * i; }
trace(f(2));
