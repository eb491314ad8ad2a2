// The body of an if must be a block.
// exit: 2
// error: HERE:11
if (true) trace(1); // here
