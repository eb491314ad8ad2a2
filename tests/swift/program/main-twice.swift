// There is at most one main.
// exit: 2
// error: HERE:1: main has already been defined
main { trace(1); }
main { trace(2); } // here
