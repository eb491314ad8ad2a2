// Floats become infinite.
// expect: trace: Inf,-Inf,Inf
trace(1e308 * 10, -1e308 * 10, 2 ** 10000);
