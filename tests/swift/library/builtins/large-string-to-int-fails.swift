// And a number that does not fit into 64 bits.
// exit: 1
// error: HERE: Integer parse: '9223372036854775808'
trace(toint("9223372036854775808")); // here
