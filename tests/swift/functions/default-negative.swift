// Defaults may be negative, and int literals for floats.
// expect: trace: -1,-1.0,2.0
f();
f(int a=-1, float b=-1, float c=2) { trace(a, b, c); }
