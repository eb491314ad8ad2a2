// stat_combine() merges the results of parts.
// expect: 8 5.0000 2.0000
import io;
import stats;
PartialStats p[];
float parts[][] = [[2.0, 4.0, 4.0], [4.0, 5.0], [5.0, 7.0, 9.0]];
foreach a, i in parts {
  int n;
  float m, s;
  (n, m, s) = statagg(a);
  p[i] = PartialStats(n, m, s);
}
n, m, s = stat_combine(p);
printf("%i %.4f %.4f", n, m, s);
