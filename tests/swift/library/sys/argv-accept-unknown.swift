// A flag that is not listed fails.
// args: -a=1 -stepz=3
// exit: 1
// error: HERE: argv_accept(): unknown argument 'stepz'
import sys;
argv_accept("a", "steps"); // here
