// Anything else fails, with the text.
// exit: 1
// error: HERE: string2float(): could not convert string '1.5x' to float
trace(string2float("1.5x")); // here
