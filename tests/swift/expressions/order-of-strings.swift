// Strings have no order.
// exit: 2
// error: HERE:11: operator < is not defined for string and string
trace("a" < "b"); // here
