// Exit codes and signals are told apart.
// exit: 1
// error: HERE: the command failed (killed by signal 15
app f() { "sh" "-c" "kill -TERM $$" } // here
f();
