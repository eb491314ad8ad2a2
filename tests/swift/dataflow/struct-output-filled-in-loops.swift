// Also in an output.
// ranks: 2 4
// expect: trace: 6,3,x
type t { int a[]; string s; int n; }
t x = f(6);
trace(size(x.a), x.n, x.s);
(t o) f(int n)
{
  foreach i in [1:n] { o.a[i] = i; }
  if (n > 5) { o.s = "x"; } else { o.s = "y"; }
  wait (o.s) { o.n = size(o.a) %/ 2; }
}
