// Tasks with a higher priority start first.
// ranks: 2
// order: exact
// expect: first
// expect: 3
// expect: 2
// expect: 1
main {
  void v = hold();
  foreach i in [1:3] { wait (v) { @prio=i say(i); } }
}
app (void v) hold() { "echo" "first" }
app say(int i) { "echo" i }
