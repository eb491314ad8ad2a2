// After the last retry, the run fails.
// env: TURBINE_APP_RETRIES_LOCAL=2 TURBINE_APP_BACKOFF=0.001
// exit: 1
// error: exit code 1
// after: [ "$(wc -l < tries)" = 3 ]
app f() { "sh" "-c" "echo x >> tries; exit 1" }
f();
