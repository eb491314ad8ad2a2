// Overloads have the same number of outputs.
// exit: 2
// error: HERE
(int o) f(int a) { o = a; }
(int o, int p) f(string b) { o = 1; p = 2; wait (b) { } } // here
