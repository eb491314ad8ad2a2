// Quicksort on arrays with gaps.
// ranks: 2 4
// expect: 1 2 3 5 7 8 9 11
import io;
import string;
int v[] = [5, 2, 9, 1, 8, 3, 11, 7];
string s[];
foreach x, i in sorted(v) { s[i] = "" + x; }
printf("%s", join(s));

(int o[]) packed(int a[])
{
  // Keys from 0, in the order of the keys of a, which are below 100.
  for (int i = 0, int n = 0; i < 100; i = i + 1, n = next) {
    int next;
    if (contains(a, i)) { o[n] = a[i]; next = n + 1; } else { next = n; }
  }
}

(int o[]) sorted(int a[])
{
  if (size(a) <= 1) { o = a; }
  else {
    int low[], high[];
    foreach x, i in a {
      if (i > 0) {
        if (x < a[0]) { low[i] = x; } else { high[i] = x; }
      }
    }
    int l[] = sorted(packed(low));
    int h[] = sorted(packed(high));
    foreach x, i in l { o[i] = x; }
    o[size(l)] = a[0];
    foreach x, i in h { o[size(l) + 1 + i] = x; }
  }
}
