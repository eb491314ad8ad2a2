// Unknown annotations of calls are a mistake.
// exit: 2
// error: HERE:10: annotation @foo is not known for a call
int x = @foo=1 f(1); // here
(int o) f(int i) { o = i; }
trace(x);
