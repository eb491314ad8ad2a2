// A struct can be passed before its fields are set.
// order: exact
// ranks: 2
// expect: trace: passed
// expect: trace: 3
type pair { int a; int b; }
pair p;
trace(plus(p));
trace("passed") => p.a = 1;
p.b = 2;
(int o) plus(pair q) { o = q.a + q.b; }
