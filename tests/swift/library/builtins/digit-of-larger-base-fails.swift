// And digits that the base does not have.
// exit: 1
// error: HERE: Integer parse: '12' cannot be interpreted as a base 2 integer
trace(parseInt("12", 2)); // here
