// The key is part of the message.
// exit: 1
// error: HERE
// error: pie
int d[string] = { "cake": 1 };
trace(d["pie"]); // here
