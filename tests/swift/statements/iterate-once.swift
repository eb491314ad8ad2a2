// There is at least one iteration.
// expect: trace: 0
iterate i { trace(i); } until (true);
