// Nothing of an if statement runs before its condition is known.
// order: exact
// ranks: 2
// expect: trace: deciding
// expect: trace: yes
boolean b;
if (b) { trace("yes"); } else { trace("no"); }
trace("deciding") => b = true;
