// An overloaded function has no defaults.
// exit: 2
// error: HERE
f(int a) { trace(a); }
f(string a, int b=1) { trace(a, b); } // here
