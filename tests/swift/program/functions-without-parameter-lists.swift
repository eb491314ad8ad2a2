// Empty lists of parameters may be left out.
// expect: trace: short
// expect: trace: 5
hello { trace("short"); }
(int five) number { five = 5; }
hello();
trace(number());
