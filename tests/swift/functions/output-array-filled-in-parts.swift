// An output may be filled by several statements and functions.
// ranks: 2 4
// expect: trace: 5,10
import stats;
int a[] = fill();
trace(size(a), sum(a));
(int o[]) fill()
{
  o[0] = 0;
  foreach i in [1:3] { o[i] = i; }
  if (size([1:2]) == 2) { o[4] = last(); }
}
(int o) last() { o = 4; }
