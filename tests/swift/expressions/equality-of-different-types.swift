// Both sides must have the same type.
// exit: 2
// error: HERE:11: operator == is not defined for string and int
trace("1" == 1); // here
