// Each branch has its own names.
// expect: trace: 1
boolean t = true;
if (t) { int v = 1; trace(v); } else { string v = "x"; trace(v); }
