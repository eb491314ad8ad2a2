// A missing semicolon is reported where it belongs.
// exit: 2
// error: HERE:10: ';' is missing
int a = 3 // here
trace(a);
