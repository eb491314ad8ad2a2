// Also through several functions.
// ranks: 2 4
// expect: trace: 8
int a[] = fill(0, 3);
trace(size(a));
(int o[]) fill(int from, int depth)
{
  if (depth == 0) { o[from] = from; }
  else {
    foreach v, k in fill(from, depth - 1) { o[k] = v; }
    foreach v, k in fill(from + power(depth - 1), depth - 1) { o[k] = v; }
  }
}
(int o) power(int n) { if (n == 0) { o = 1; } else { o = 2 * power(n - 1); } }
