// A value that is passed through a function to itself.
// exit: 1
// error: HERE waits for a
int a;
a = f(a);
trace(a); // here
(int o) f(int i) { o = i; }
