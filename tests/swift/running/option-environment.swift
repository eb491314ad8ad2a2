// -e sets a variable of the environment.
// opts: -e 'GREETING=hello there' -e EMPTY=
// expect: trace: hello there,,given
// expect: hello there
// env: OTHER=given
import sys;
trace(getenv("GREETING"), getenv("EMPTY"), getenv("OTHER"));
app f() { "sh" "-c" "echo $GREETING" }
f();
