// The type of an empty literal cannot be told.
// exit: 2
// error: HERE
x = []; // here
trace(size(x));
