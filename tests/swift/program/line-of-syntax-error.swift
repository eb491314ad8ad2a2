// A missing semicolon is reported where it belongs.
// exit: 2
// error: HERE
int a = 3 // here
trace(a);
