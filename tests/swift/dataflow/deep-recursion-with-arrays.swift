// Deep recursion that passes arrays on.
// ranks: 2 4
// expect: trace: 1000,1
int a[] = [1];
trace(depth(a, 1000), size(a));
(int o) depth(int v[], int n)
{
  if (n == 0) { o = 0; } else { o = v[0] + depth(v, n - 1); }
}
