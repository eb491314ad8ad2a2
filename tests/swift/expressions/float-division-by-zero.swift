// A float divided by zero is infinite.
// expect: trace: Inf,-Inf
float zero = 0;
trace(1.0 / zero, -1.0 / zero);
