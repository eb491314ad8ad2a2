// argv_accept() passes if all flags are listed; numbers are ignored.
// args: -a=1 -b -5
// expect: trace: 1
import sys;
argv_accept("a", "b", "c");
trace(argv("a"));
