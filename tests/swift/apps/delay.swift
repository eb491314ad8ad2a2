// TURBINE_APP_DELAY waits before each program.
// env: TURBINE_APP_DELAY=0.01
// expect: hello
app f() { "echo" "hello" }
f();
