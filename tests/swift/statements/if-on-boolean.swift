// Exactly one branch runs.
// expect: trace: then
// expect: trace: else
// expect: trace: else if
boolean t = 2 > 1;
if (t) { trace("then"); } else { trace("never"); }
if (!t) { trace("never"); } else { trace("else"); }
if (!t) { trace("never"); } else if (t) { trace("else if"); } else { trace("never"); }
if (!t) { trace("never"); }
