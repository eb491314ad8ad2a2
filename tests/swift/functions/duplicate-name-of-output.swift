// Also those of inputs and outputs.
// exit: 2
// error: HERE:16: duplicate parameter name a in function f
(int a) f( int a) { a = 1; } // here
