// && and || evaluate both sides.
// expect: trace: 1,0,1,0
// expect: trace: left
// expect: trace: right
trace(true && true, true && false, false || true, false || false);
boolean b = f("left", false) && f("right", true);
wait (b) { }
(boolean o) f(string s, boolean i) { trace(s) => o = i; }
