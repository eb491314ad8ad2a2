// --memory ends a recursion without end.
// opts: --memory 50M
// exit: 1
// error: needs more memory than it may use (--memory)
(int o) f(int n) { o = 1 + f(n + 1); }
trace(f(0));
