// Strings and booleans do not mix.
// exit: 2
// error: HERE:11: operator + is not defined for string and boolean
trace("a" + true); // here
