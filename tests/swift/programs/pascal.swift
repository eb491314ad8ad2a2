// Pascal's triangle by element dependencies.
// ranks: 2 4
// expect: trace: 252
int t[][];
foreach n in [0:10] {
  t[n][0] = 1;
  foreach k in [1:n - 1] { t[n][k] = t[n - 1][k - 1] + t[n - 1][k]; }
  if (n > 0) { t[n][n] = 1; }
}
trace(t[10][5]);
