// Without redirection, what a program writes is output of the run.
// expect: to stdout
// error: to stderr
// stderr: any
app f() { "sh" "-c" "echo to stdout; echo to stderr >&2" }
f();
