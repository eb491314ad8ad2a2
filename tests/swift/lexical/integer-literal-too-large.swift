// An int must fit into 64 bits with a sign.
// exit: 2
// error: HERE:7: invalid decimal literal 9223372036854775808
trace(9223372036854775808); // here
