// A tuple cannot be passed.
// exit: 2
// error: HERE
trace((1, 2)); // here
