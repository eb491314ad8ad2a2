// Unary - has no meaning for strings.
// exit: 2
// error: HERE:7: operator - is not defined for string
trace(-"a"); // here
