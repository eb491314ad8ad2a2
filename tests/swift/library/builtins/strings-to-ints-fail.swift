// A text that is no number fails, with the text.
// exit: 1
// error: HERE: Integer parse: '12 apples' cannot be interpreted as a base 10 integer
trace(string2int("12 apples")); // here
