// The function behind the operator %.
// expect: trace: 003 x
trace(__sprintf_op__("%03i %s", 3, "x"));
