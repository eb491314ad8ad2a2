// Of the tasks that are ready, those with a higher priority start first.
// ranks: 2
// order: exact
// expect: 3
// expect: 2
// expect: 1
main {
  @prio=1 say(1);
  @prio=3 say(3);
  @prio=2 say(2);
}
app say(int i) { "echo" i }
