// One branch may assign an array as a whole, and the other one fill it, perhaps with nothing.
// expect: trace: 1,2,0
trace(size(f(0)), size(f(2)), size(f(-1)));
(int o[]) f(int n)
{
  if (n == 0) { o = [7]; } else { foreach i in [1:n] { o[i] = i; } }
}
