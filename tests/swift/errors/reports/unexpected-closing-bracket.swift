// So is one that closes nothing.
// exit: 2
// error: HERE:1: this '}' closes nothing
trace(1);
} // here
