// A name that is not declared is a mistake, reported once.
// exit: 2
// error: HERE:7: variable x is not declared
trace(x, x); // here
trace(x);
