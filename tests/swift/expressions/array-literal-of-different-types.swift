// The elements of a literal must have one type.
// exit: 2
// error: HERE
trace(size([1, "a"])); // here
