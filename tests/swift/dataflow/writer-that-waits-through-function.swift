// Where only the run shows it, it is reported as a deadlock.
// exit: 1
// error: waits for a
int a[];
a[0] = size(copy(a));
trace(a[0]);
(int o[]) copy(int i[]) { foreach v, k in i { o[k] = v; } }
