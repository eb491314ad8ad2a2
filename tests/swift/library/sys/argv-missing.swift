// A flag that was not given fails, with its name.
// args: -other=1
// exit: 1
// error: HERE: argv(): The command line did not provide 'threshold'
import sys;
trace(argv("threshold")); // here
