// A call that fits none is a mistake.
// exit: 2
// error: HERE
f(int a) { trace(a); }
f(string a) { trace(a); }
f(true); // here
