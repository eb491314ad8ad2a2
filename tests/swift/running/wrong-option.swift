// Options that are not known are a mistake, with a suggestion.
// opts: --rank 3
// exit: 2
// error: did you mean '--ranks'?
trace("never");
