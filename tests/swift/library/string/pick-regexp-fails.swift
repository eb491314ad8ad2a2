// A pattern that is no regular expression fails.
// exit: 1
// error: HERE
// error: is not a regular expression
import string;
trace(size(pick_regexp("(", ["a"]))); // here
