// system() runs a program without a shell, and gives its output and exit code.
// expect: trace: a  b,0
// expect: trace: $HOME *,0
import sys;
string o;
int code;
(o, code) = system(["printf", "a  %s\n", "b"]);
trace(o, code);
p, c = system(["echo", "$HOME *"]);
trace(p, c);
