// A literal with the same key twice is a second write, too.
// exit: 1
// error: HERE
int d[string] = { "a": 1, "a": 2 }; // here
trace(size(d));
