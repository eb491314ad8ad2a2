// 9 is no octal digit.
// exit: 2
// error: HERE:7: invalid octal literal 0o9
trace(0o9); // here
