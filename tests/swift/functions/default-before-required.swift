// A parameter without default cannot follow one that has one.
// exit: 2
// error: HERE
f(int a=1, int b) { trace(a, b); } // here
f(1, 2);
