// A setting that is no number is a mistake of the user; nothing runs.
// env: TURBINE_APP_RETRIES_LOCAL=many
// exit: 2
// error: TURBINE_APP_RETRIES_LOCAL is 'many'
app f() { "echo" "hello" }
f();
