// A call without output as a value.
// exit: 2
// error: HERE:9: function g has no output
g() { }
int x = g(); // here
