// If it cannot be started, the exit code is not 0.
// expect: trace: ,1
import sys;
string o;
int code;
(o, code) = system(["no-such-program"]);
trace(o, code != 0);
