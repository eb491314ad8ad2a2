// A power that is not a real number fails.
// exit: 1
// error: HERE
// error: -8.0 ** 0.5
trace((-8.0) ** 0.5); // here
