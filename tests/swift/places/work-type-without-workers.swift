// Without such workers, the run does not start.
// ranks: 3
// exit: 1
// error: TURBINE_GPU_WORKERS
pragma worktypedef gpu;
@dispatch=gpu app special() { "echo" "never" }
special();
