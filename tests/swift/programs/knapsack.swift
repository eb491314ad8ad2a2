// A table whose cells depend on cells of the row before.
// ranks: 2 4
// expect: trace: 9
int weight[] = [1, 3, 4, 5];
int value[] = [1, 4, 5, 7];
int best[][];
foreach c in [0:7] { best[0][c] = 0; }
foreach i in [1:4] {
  foreach c in [0:7] {
    int w = weight[i - 1];
    if (w > c) { best[i][c] = best[i - 1][c]; }
    else { best[i][c] = max(best[i - 1][c], best[i - 1][c - w] + value[i - 1]); }
  }
}
trace(best[4][7]);
