// A string that is never closed is one mistake.
// exit: 2
// opts: -p
// error: HERE:7: this string is never closed
trace("abc); // here
