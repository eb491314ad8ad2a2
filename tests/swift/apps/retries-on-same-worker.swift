// TURBINE_APP_RETRIES_LOCAL repeats a program that fails.
// env: TURBINE_APP_RETRIES_LOCAL=3 TURBINE_APP_BACKOFF=0.001
// stderr: any
// expect: third time
app f() { "sh" "-c" "echo x >> tries; [ $(wc -l < tries) -ge 3 ] && echo third time" }
f();
