// The first word is the program, a string.
// exit: 2
// error: HERE:21: the first word of a command is the program, a string, but this is int
app show(int n)   { n 1 } // here
show(1);
