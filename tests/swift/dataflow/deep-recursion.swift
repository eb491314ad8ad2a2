// Calls do not use a stack: recursion may be thousands of levels deep.
// ranks: 2 3
// expect: trace: 12502500
(int o) sum_to(int n)
{
  if (n == 0) { o = 0; } else { o = n + sum_to(n - 1); }
}
trace(sum_to(5000));
