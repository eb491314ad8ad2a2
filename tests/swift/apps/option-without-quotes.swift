// An option must stand in quotes.
// exit: 2
// error: HERE
app f() { "echo" -n "x" } // here
