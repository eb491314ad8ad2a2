// A priority is an int.
// exit: 2
// error: HERE:16: annotation @prio needs type int, but this has type string
int x = @prio= "high" f(1); // here
(int o) f(int i) { o = i; }
trace(x);
