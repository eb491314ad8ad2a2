// Pragmas for executors are accepted.
// expect: trace: 1
pragma appexecdef coaster "package" "0.0" "template";
trace(1);
