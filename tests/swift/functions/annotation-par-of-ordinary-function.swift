// Only functions with @par can be called in parallel.
// exit: 2
// error: HERE:10: function f is not parallel
int x = @par=2 f(1); // here
(int o) f(int i) { o = i; }
trace(x);
