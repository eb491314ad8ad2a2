// Nor is one with two outputs a value.
// exit: 2
// error: HERE:7: function f has 2 outputs
trace(f()); // here
(int x, int y) f() { x = 1; y = 2; }
