// argc(), args(), argp() and argv().
// args: -k=v one --flag "two words"
// expect: trace: 2,-k=v one --flag two words
// expect: trace: one,two words,none,v,,other
import sys;
trace(argc(), args());
trace(argp(1), argp(2), argp(3, "none"), argv("k"), argv("flag"), argv("missing", "other"));
