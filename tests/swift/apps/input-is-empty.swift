// Without redirection, a program has no input, whatever the input of the run is.
// stdin: from outside
// expect: [] end
app f() { "sh" "-c" "echo \"[$(cat)]\" end" }
f();
