// An app may have no output at all.
// needs: processes
// expect: done
app f() { "echo" "done" }
f();
