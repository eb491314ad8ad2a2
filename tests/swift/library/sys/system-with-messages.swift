// What a program writes to its standard error counts as a failure.
// expect: trace: 
// stderr: any
import sys;
string o;
int code;
(o, code) = system(["sh", "-c", "echo x; echo y >&2"]);
trace(o);
wait (code) { }
