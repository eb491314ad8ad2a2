// Or after iterate.
// expect: trace: 4
int a[];
trace(size(a));
iterate i { a[i] = i; } until (i == 3);
