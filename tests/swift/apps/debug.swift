// TURBINE_APP_DEBUG=1 shows the commands.
// env: TURBINE_APP_DEBUG=1
// stderr: any
// error: echo hello
// expect: hello
app f() { "echo" "hello" }
f();
