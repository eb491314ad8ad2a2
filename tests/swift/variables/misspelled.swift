// A similar name is suggested.
// exit: 2
// error: HERE:7: variable totl is not declared: did you mean 'total'?
int total = 3;
trace(totl); // here
