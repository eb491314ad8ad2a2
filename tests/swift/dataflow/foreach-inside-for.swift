// And the other way round: each round waits for the array of the last one.
// ranks: 2 4
// expect: trace: 4,8,16
int a[];
int r;
for (a = [1, 2], r = 0; r < 3; a = b, r = r + 1) {
  int b[];
  foreach v, i in a { b[i] = 2 * v; }
}
trace(a[0] - 4, a[0], a[1]);
wait (r) { }
