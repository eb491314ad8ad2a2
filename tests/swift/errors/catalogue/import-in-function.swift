// An import inside a function.
// exit: 2
// error: HERE:7: imports are only allowed at the top level
f() { import io; } // here
