// Outputs are files or voids.
// exit: 2
// error: HERE:11: the outputs of an app function are files or void, but n is int
app ( int n) f() { "true" } // here
