// Nor launch_multi().
// exit: 1
// error: HERE: launch_multi() is not available
import launch;
int x = @par=2 launch_multi([1, 1], ["echo", "echo"], [["a"], ["b"]], EMPTY_SS); // here
trace(x);
