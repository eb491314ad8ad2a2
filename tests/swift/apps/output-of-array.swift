// Arrays of files are no outputs, either.
// exit: 2
// error: HERE
app (file o[]) f() { "true" } // here
