// The constants of the module launch.
// expect: trace: 0,124,127,0
import launch;
trace(EXIT_SUCCESS, EXIT_TIMEOUT, EXIT_NOTFOUND, size(EMPTY_SS));
