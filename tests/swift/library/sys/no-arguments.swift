// Without arguments.
// expect: trace: 0,,0
import sys;
trace(argc(), args(), argv_contains("k"));
