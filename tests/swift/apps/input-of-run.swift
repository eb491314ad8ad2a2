// Without redirection, a program reads the input of the run.
// needs: processes
// stdin: from outside
// expect: from outside
app f() { "cat" }
f();
