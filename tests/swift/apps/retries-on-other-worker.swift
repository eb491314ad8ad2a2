// TURBINE_APP_RETRIES_REPUT repeats it on another worker.
// env: TURBINE_APP_RETRIES_REPUT=3 TURBINE_APP_BACKOFF=0.001
// ranks: 3
// stderr: any
// expect: third time
app f() { "sh" "-c" "echo x >> tries; [ $(wc -l < tries) -ge 3 ] && echo third time" }
f();
