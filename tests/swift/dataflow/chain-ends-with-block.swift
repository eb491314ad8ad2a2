// What ends a chain starts as a whole when its left side is complete.
// order: exact
// ranks: 2
// expect: trace: first
// expect: trace: loop
// expect: trace: if
int gate[];
trace("first") => foreach i in [1:1] { trace("loop") => gate[0] = i; }
gate => if (gate[0] == 1) { trace("if"); } else { trace("else"); }
