// A program that is killed ends it as well.
// exit: 1
// error: HERE: the command failed (killed by signal 9
app f() { "sh" "-c" "kill -9 $$" } // here
f();
