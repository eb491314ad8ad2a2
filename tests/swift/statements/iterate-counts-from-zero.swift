// The body runs before the condition is tested, with 0, 1, 2 and so on.
// expect: trace: 0
// expect: trace: 1
// expect: trace: 2
iterate i { trace(i); } until (i == 2);
