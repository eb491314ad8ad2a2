// @pure, @deterministic and others may stand before an app.
// expect: a
@pure @deterministic app (void v) f() { "echo" "a" }
@sideeffectfree @dispatch=WORKER app g() { "true" }
f();
g();
