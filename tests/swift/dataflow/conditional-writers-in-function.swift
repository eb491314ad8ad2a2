// An array closes although no branch of a function writes it.
// ranks: 2 4
// expect: trace: 0,1,0
trace(size(f(0)), size(f(1)), size(f(2)));
(int o[]) f(int n)
{
  if (n == 1) { o[0] = 1; }
  else { foreach i in [1:n - 2] { o[i] = i; } }
}
