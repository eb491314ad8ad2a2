// And through the output of the run.
// contains: 20000
// contains: 10000
// contains: 1
app f() { "seq" 20000 }
f();
