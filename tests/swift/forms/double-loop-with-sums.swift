// Two loops fill an array from a condition; the sum of each row is taken outside of the inner one.
// ranks: 2 4
// expect: trace: 0,0
// expect: trace: 1,1
// expect: trace: 2,3
import stats;
int A[][];
int B[];
foreach x in [0:2] {
  foreach y in [0:2] {
    if (check(x, y)) { A[x][y] = g(f(x), f(y)); }
    else { A[x][y] = 0; }
  }
  B[x] = sum(A[x]);
}
foreach b, x in B { trace(x, b); }
(boolean o) check(int i, int j) { o = j <= i; }
(int o) f(int i) { o = i; }
(int o) g(int i, int j) { if (i == 0) { o = 0; } else { o = j * 1; wait (i) { } } }
