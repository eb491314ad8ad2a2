// Neither is launch_envs().
// exit: 1
// error: HERE: launch_envs() is not available
import launch;
int x = @par=2 launch_envs("echo", ["a"], ["K=v"]); // here
trace(x);
