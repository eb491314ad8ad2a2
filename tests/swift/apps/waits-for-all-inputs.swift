// The task waits for all inputs, also for those that the command does not mention.
// order: exact
// ranks: 2
// expect: trace: before
// expect: runs
int a[];
app f(int n[]) { "echo" "runs" }
f(a);
trace("before") => a[0] = 1;
