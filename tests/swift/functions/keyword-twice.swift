// A parameter is given once.
// exit: 2
// error: HERE
f(string s, int n=1) { trace(s, n); }
f("a", 2, n=3); // here
