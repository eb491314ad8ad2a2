// So does a negative one, even with a default.
// exit: 1
// error: argp(-1)
import sys;
trace(argp(-1, "x"));
