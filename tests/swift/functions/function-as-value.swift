// A function is no value.
// exit: 2
// error: HERE:7: f is a function, not a variable
(int o) f() { o = 1; }
trace(f); // here
