// The keys of a literal must have one type.
// exit: 2
// error: HERE
trace(size({ "a": 1, 2: 2 })); // here
