// The parser goes on after a syntax error.
// exit: 2
// error: HERE
// error: THERE
int a = ; // here
int b = 3;
trace(b b); // there
