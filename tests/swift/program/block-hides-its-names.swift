// A name of a block is unknown after it.
// exit: 2
// error: HERE:7: variable v is not declared
{ int v = 1; trace(v); }
trace(v); // here
