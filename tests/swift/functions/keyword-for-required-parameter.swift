// Parameters without defaults are given by their position.
// exit: 2
// error: HERE
f(string s, int n=1) { trace(s, n); }
f(s="a"); // here
