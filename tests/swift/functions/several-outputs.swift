// A function may have several outputs, in any order of assignment.
// expect: trace: 5,12
// expect: trace: 4,9
int a, b;
(a, b) = divide(137, 25);
trace(a, b);
c, d = order(9, 4);
trace(c, d);
(int q, int r) divide(int n, int by) { r = n %% by; q = n %/ by; }
(int low, int high) order(int x, int y)
{
  if (x < y) { low = x; high = y; } else { low = y; high = x; }
}
