// An array that is complete has all of its values.
// order: exact
// ranks: 2
// expect: trace: slow
// expect: trace: 3,2
int a[] = [slow(1), 2];
wait (a) { trace(a[0] + a[1], size(a)); }
(int o) slow(int i) { trace("slow") => o = i; }
