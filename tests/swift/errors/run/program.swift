// A program that fails.
// exit: 1
// error: HERE: the command failed (exit code 1): false
app (void v) f() { "false" } // here
f() => trace("never");
