// Loops with carried values inside of parallel loops.
// ranks: 2 4
// expect: trace: 5,6,24,120
int f[];
foreach n in [1:5] {
  int p;
  for (int i = 1, p = 1; i <= n; i = i + 1, p = p * i0) { int i0 = i; }
  f[n] = p;
}
trace(size(f), f[3], f[4], f[5]);
