// propagate() is set when all of its arguments are; with none, at once.
// order: exact
// ranks: 2
// expect: trace: at once
// expect: trace: all
int a, b;
void c = propagate(a, "x", b, 2.5, true);
wait (c) { trace("all"); }
make_void() => trace("at once") => a = 1 => makeVoid(a) => b = 2;
