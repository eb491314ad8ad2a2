// A failure names the script, the line, and the values.
// exit: 1
// error: HERE: argp(5): there is only 1 argument
// args: one
// expect: trace: one
import sys;
trace(argp(1)) => trace(
  argp(5)); // here
