// Functions with a work type run on workers that have it.
// needs: processes
// ranks: 4
// env: TURBINE_GPU_WORKERS=1
// expect: on a worker for it
// expect: elsewhere
pragma worktypedef gpu;
@dispatch=GPU app special() { "echo" "on a worker for it" }
app ordinary() { "echo" "elsewhere" }
special();
ordinary();
