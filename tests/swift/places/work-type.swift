// Functions with a work type run on any worker.
// ranks: 3
// expect: special
// expect: ordinary
pragma worktypedef gpu;
@dispatch=GPU app special() { "echo" "special" }
app ordinary() { "echo" "ordinary" }
special();
ordinary();
