// Neither do comparisons.
// exit: 2
// error: HERE
// error: THERE
int i = 1;
trace(i < 2.5); // here
trace(i == 1.0); // there
