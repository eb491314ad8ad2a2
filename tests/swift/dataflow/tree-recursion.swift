// Recursion that branches runs in parallel.
// ranks: 2 5
// expect: trace: 987
(int o) fib(int n) { if (n < 2) { o = n; } else { o = fib(n - 1) + fib(n - 2); } }
trace(fib(16));
