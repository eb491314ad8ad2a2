// Functions with @checkpoint cannot be overloaded.
// exit: 2
// error: f cannot be overloaded, since it has @checkpoint
@checkpoint (int o) f(int i) { o = i; }
(int o) f(string s) { o = length(s); }
trace(f(1));
