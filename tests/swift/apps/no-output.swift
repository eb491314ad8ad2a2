// An app may have no output at all.
// expect: done
app f() { "echo" "done" }
f();
