// If there is a similar one, it is named.
// args: -treshold=1
// exit: 1
// error: argv(): The command line did not provide 'threshold', but it has 'treshold'
import sys;
trace(argv("threshold"));
