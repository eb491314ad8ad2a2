// An output that is never written.
// exit: 2
// error: HERE:6: the output o is never assigned
(int o) f() { } // here
