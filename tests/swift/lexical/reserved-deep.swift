// The word deep is reserved, too.
// exit: 2
// error: HERE:5
int deep = 3; // here
