// An argument that was not given.
// exit: 1
// error: HERE: argv(): The command line did not provide 'foo'
import sys;
trace(argv("foo")); // here
