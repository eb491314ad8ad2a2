// A reserved word cannot be the name of a variable.
// exit: 2
// error: HERE:5
int wait = 3; // here
