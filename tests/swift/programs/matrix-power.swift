// Powers of a matrix by repeated squaring.
// ranks: 2 4
// expect: trace: 832040
import stats;
int f[][] = power([[1, 1], [1, 0]], 30);
trace(f[0][1]);

(int o[][]) product(int a[][], int b[][])
{
  foreach i in [0:1] {
    foreach j in [0:1] {
      int t[];
      foreach k in [0:1] { t[k] = a[i][k] * b[k][j]; }
      o[i][j] = sum(t);
    }
  }
}

(int o[][]) power(int a[][], int n)
{
  if (n == 0) { o = [[1, 0], [0, 1]]; }
  else {
    int h[][] = power(a, n %/ 2);
    int s[][] = product(h, h);
    if (n %% 2 == 1) { o = product(s, a); } else { o = s; }
  }
}
