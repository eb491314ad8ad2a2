// Two arrays may depend on each other's elements.
// ranks: 2 4
// expect: trace: 1024,512
int a[], b[];
a[0] = 1;
foreach i in [0:9] {
  b[i] = a[i];
  a[i + 1] = 2 * b[i];
}
trace(a[10], b[9]);
