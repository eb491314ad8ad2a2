// Without any part, it fails.
// exit: 1
// error: stat_combine
import stats;
PartialStats p[] = [];
n, m, s = stat_combine(p);
trace(n, m, s);
