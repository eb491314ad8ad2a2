// trace() prints its values with commas between them, without blanks, and sets its output then.
// order: exact
// ranks: 2
// expect: trace: 1,2.5,s,1
// expect: trace: 
// expect: trace: a,b
void v = trace(1, 2.5, "s", true);
wait (v) { trace() => trace("a,b"); }
