// A variable is no function.
// exit: 2
// error: HERE
main { int x = 1; trace(x(2)); } // here
