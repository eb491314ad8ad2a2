// Elements may depend on other elements of the same array.
// expect: trace: 2880067194370816120
// ranks: 2 4
int f[];
f[0] = 0;
f[1] = 1;
foreach i in [2:90] { f[i] = f[i - 1] + f[i - 2]; }
trace(f[90]);
