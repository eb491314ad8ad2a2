// Giving it again behind the script is a mistake.
// opts: -A size=9
// args: -size=10
// stderr: any
// exit: 2
// error: size
import sys;
trace(argv("size"));
