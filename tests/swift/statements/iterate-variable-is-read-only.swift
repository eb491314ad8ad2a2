// The counter cannot be assigned.
// exit: 2
// error: HERE
iterate i { i = 3; } until (i > 5); // here
