// Arrays of files cannot.
// exit: 2
// error: HERE
file f[]<"a">; // here
