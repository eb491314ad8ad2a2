// An annotation is given once.
// exit: 2
// error: HERE
int x = @prio=1 @prio=2 f(1); // here
(int o) f(int i) { o = i; }
trace(x);
