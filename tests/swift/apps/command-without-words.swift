// A command needs a program.
// exit: 2
// error: HERE
app nothing() { } // here
