// So does a program that does not exist.
// exit: 1
// error: HERE: the command failed (cannot start no-such-program
// error: no-such-program 1
app f() { "no-such-program" 1 } // here
f();
