// A function without output gives nothing to assign.
// exit: 2
// error: HERE:9: function f has no output
int x = f(); // here
f() { trace(1); }
trace(x);
