// A comment that is never closed is a mistake.
// exit: 2
// error: HERE:1: this comment is never closed
/* here it begins // here
trace(1);
