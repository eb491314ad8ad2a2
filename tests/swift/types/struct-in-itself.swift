// A struct cannot contain itself, except in an array.
// exit: 2
// error: HERE
type ring { int n; ring next; } // here
trace(1);
