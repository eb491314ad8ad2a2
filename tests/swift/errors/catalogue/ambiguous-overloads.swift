// Two definitions with the same inputs.
// exit: 2
// error: HERE:1: overloads of p are ambiguous
p(int a) { trace(a); }
p(int b) { trace(b); } // here
