// Neither more nor less.
// exit: 2
// error: HERE
int a, b, c;
a, b, c = 1, 2; // here
trace(a, b, c);
