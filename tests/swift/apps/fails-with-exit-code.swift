// A program that fails ends the run, with its exit code and command.
// exit: 1
// error: HERE: the command failed (exit code 3): sh -c 'exit 3'
// expect: trace: before
app (void v) f() { "sh" "-c" "exit 3" } // here
trace("before") => f() => trace("never");
