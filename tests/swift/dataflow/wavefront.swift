// A two-dimensional recurrence runs as its neighbours become known.
// ranks: 2 5
// expect: trace: 48620
int m[][];
foreach i in [0:9] {
  foreach j in [0:9] {
    if (i == 0 || j == 0) { m[i][j] = 1; }
    else { m[i][j] = m[i - 1][j] + m[i][j - 1]; }
  }
}
trace(m[9][9]);
