// All ways to place queens, by recursion over strings.
// ranks: 2 4
// expect: trace: 4
import stats;
import string;
trace(ways("", 6));

(boolean o) free(string placed, int column)
{
  int row = length(placed);
  int hits[];
  foreach i in [0:row - 1] {
    int c = toint(substring(placed, i, 1));
    int d = row - i;
    if (c == column || c == column + d || c == column - d) { hits[i] = 1; }
  }
  o = size(hits) == 0;
}

(int o) ways(string placed, int n)
{
  if (length(placed) == n) { o = 1; }
  else {
    int w[];
    foreach c in [0:n - 1] {
      if (free(placed, c)) { w[c] = ways(placed + int2string(c), n); }
    }
    o = sum(w);
  }
}
