// So may chains of calls.
// expect: trace: bottom
(void o) down(int n)
{
  if (n == 0) { trace("bottom") => o = propagate(); } else { o = down(n - 1); }
}
wait (down(5000)) { }
