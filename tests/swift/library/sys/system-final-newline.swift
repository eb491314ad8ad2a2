// Only the final newline of the output is removed.
// expect: trace: [a
// expect: ],0
import sys;
o, c = system(["printf", "a\n\n"]);
trace("[" + o + "]", c);
