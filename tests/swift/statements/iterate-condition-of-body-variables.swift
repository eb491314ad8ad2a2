// The condition may use variables of the body.
// expect: trace: 0
// expect: trace: 7
// expect: trace: 14
iterate i {
  int v = 7 * i;
  trace(v);
} until (v > 10);
