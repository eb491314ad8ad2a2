// A text that is no number.
// exit: 1
// error: HERE: Integer parse: 'abc' cannot be interpreted as a base 10 integer
trace(string2int("abc")); // here
