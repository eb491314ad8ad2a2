// Generations of a board, each an array of its own.
// ranks: 2 4
// expect: ..#..
// expect: ..#..
// expect: ..#..
// expect: generations 3
import io;
import stats;
import string;

int board[][][];
foreach i in [0:4] {
  foreach j in [0:4] {
    if (i == 2 && j >= 1 && j <= 3) { board[0][i][j] = 1; } else { board[0][i][j] = 0; }
  }
}
foreach g in [1:3] {
  foreach i in [0:4] {
    foreach j in [0:4] { board[g][i][j] = cell(board[g - 1], i, j); }
  }
}
foreach i in [1:3] {
  string line[];
  foreach c, j in board[3][i] {
    if (c == 1) { line[j] = "#"; } else { line[j] = "."; }
  }
  printf("%s", join(line, ""));
}
printf("generations %i", size(board) - 1);

(int o) cell(int b[][], int i, int j)
{
  int n[][];
  foreach x in [max(i - 1, 0):min(i + 1, 4)] {
    foreach y in [max(j - 1, 0):min(j + 1, 4)] {
      if (x != i || y != j) { n[x][y] = b[x][y]; }
    }
  }
  int sums[];
  foreach r, x in n { sums[x] = sum(r); }
  int around = sum(sums);
  if (around == 3 || (around == 2 && b[i][j] == 1)) { o = 1; } else { o = 0; }
}
