// system1() splits its command at white space.
// expect: trace: a b,0
import sys;
string o;
int code;
(o, code) = system1("echo  a   b");
trace(o, code);
