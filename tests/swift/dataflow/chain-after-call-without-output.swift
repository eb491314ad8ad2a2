// A call without outputs cannot be waited for.
// exit: 2
// error: HERE:1: function f has no output to wait for
f() { trace(1); }
f() => trace(2); // here
