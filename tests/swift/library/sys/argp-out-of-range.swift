// A position that was not given fails.
// exit: 1
// error: HERE: argp(1): there are only 0 arguments
import sys;
trace(argp(1)); // here
