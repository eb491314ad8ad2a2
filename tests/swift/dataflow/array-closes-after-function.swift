// An array that a function fills is complete when the function is.
// ranks: 2 4
// expect: trace: 10,45
import stats;
int a[] = fill(10);
trace(size(a), sum(a));
(int o[]) fill(int n) { foreach i in [0:n - 1] { o[i] = double(i) - i; } }
(int o) double(int i) { o = 2 * i; }
