// Also in a nested block.
// exit: 2
// error: HERE
f() { int x = 1; { int x = 2; trace(x); } trace(x); } // here
