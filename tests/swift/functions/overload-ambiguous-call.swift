// A call whose literals fit two overloads equally well is ambiguous.
// exit: 2
// error: HERE:1: this call is ambiguous
f(int a, float b) { trace("if", a, b); }
f(float a, int b) { trace("fi", a, b); }
f(1, 1); // here
