// A row may be a variable that is filled after it became a row.
// ranks: 2 4
// expect: trace: 3
// expect: trace: 3
int a[][];
foreach i in [0:1] {
  int r[];
  a[i] = r;
  foreach j in [0:2] { r[j] = j; }
}
foreach x in a { trace(size(x)); }
