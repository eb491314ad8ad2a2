// Statements run when their inputs are ready, not in the order of the text.
// order: exact
// ranks: 2
// expect: trace: 1
// expect: trace: 2
// expect: trace: 3
int a, b, c;
wait (b) { trace(3); }
wait (a) { trace(2) => b = 1; }
trace(1) => a = 1;
c = b;
wait (c) { }
