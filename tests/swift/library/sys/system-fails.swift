// If the program fails, there is no output, but its exit code; the run goes on.
// expect: trace: ,3
// expect: trace: after
import sys;
string o;
int code;
(o, code) = system(["sh", "-c", "echo x; exit 3"]);
trace(o, code) => trace("after");
