// launch() is not available: a call fails when it runs.
// exit: 1
// error: HERE: launch() is not available
import launch;
int x = @par=2 launch("echo", ["a"]); // here
trace(x);
