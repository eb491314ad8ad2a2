// It cannot be declared in a chain.
// exit: 2
// error: HERE
trace(1) => updateable_float x = 1; // here
