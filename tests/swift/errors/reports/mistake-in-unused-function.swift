// Functions that nobody calls are checked, too.
// exit: 2
// error: HERE:25: cannot assign to x
f() { trace(1); int x = "a"; } // here
