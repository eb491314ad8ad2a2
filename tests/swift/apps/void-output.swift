// A void output is set on success.
// order: exact
// ranks: 2
// expect: first
// expect: trace: second
app (void v) f() { "echo" "first" }
f() => trace("second");
