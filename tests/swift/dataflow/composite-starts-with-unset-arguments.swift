// The body of a composite function starts before its arguments are set.
// order: exact
// ranks: 2
// expect: trace: body runs
// expect: trace: 5
int x;
f(x) => x = 5;
(void started) f(int i)
{
  trace("body runs") => started = propagate();
  trace(i);
}
