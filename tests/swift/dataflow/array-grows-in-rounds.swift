// An array that is filled in the rounds of a loop, each from the last one.
// ranks: 2 4
// expect: trace: 0,1,3,7,15
int a[];
a[0] = 0;
for (int i = 1; i < 5; i = i + 1) { a[i] = 2 * a[i - 1] + 1; }
trace(a[0], a[1], a[2], a[3], a[4]);
