// A condition may be an int.
// expect: trace: 3
// expect: trace: 2
// expect: trace: 1
for (int i = 3; i; i = i - 1) { trace(i); }
