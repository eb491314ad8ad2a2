// The quotient that no int can hold does not crash.
// contains: trace: after
// stderr: any
int most = 9223372036854775807;
trace("after") => trace((-most - 1) %/ -1 == 0);
