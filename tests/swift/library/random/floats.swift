// random() gives floats between 0 and 1.
// ranks: 2 4
// expect: trace: 0,1
import random;
import stats;
int wrong[], different[];
float first = random();
foreach i in [1:100] {
  float x = random();
  if (x <= 0.0 || x >= 1.0) { wrong[i] = 1; }
  if (x != first) { different[i] = 1; }
}
trace(sum(wrong), sum(different) > 90);
