// Each case has its own names.
// expect: trace: two
int n = 2;
switch (n) { case 1: int v = 1; trace(v); case 2: string v = "two"; trace(v); }
