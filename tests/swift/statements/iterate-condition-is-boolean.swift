// The condition must be boolean.
// exit: 2
// error: HERE:10: the condition of an iterate loop must be boolean
iterate i { trace(i); }
until (i + 1); // here
