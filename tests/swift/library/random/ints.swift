// randint() gives ints from the first to below the second.
// expect: trace: 100,0
import random;
import stats;
int seen[], wrong[];
foreach i in [1:100] {
  int n = randint(-2, 3);
  seen[i] = 1;
  if (n < -2 || n > 2) { wrong[i] = 1; }
}
trace(sum(seen), sum(wrong));
