// Functions may call each other.
// expect: trace: 1,0
(boolean o) even(int n) { if (n == 0) { o = true; } else { o = odd(n - 1); } }
(boolean o) odd(int n) { if (n == 0) { o = false; } else { o = even(n - 1); } }
trace(even(100), even(101));
