// Union types are for leaf functions only.
// exit: 2
// error: HERE:13
f(int|float x) { trace(x); } // here
f(1);
