// The output of a function must be assigned.
// exit: 2
// error: HERE:6: the output o is never assigned
(int o) f() { trace(1); } // here
trace(f());
