// A name that nothing declares.
// exit: 2
// error: HERE:7: variable x is not declared
trace(x); // here
