// A call with two outputs as a value.
// exit: 2
// error: HERE:7: function g has 2 outputs
(int a, int b) g() { a = 1; b = 2; }
trace(g()); // here
