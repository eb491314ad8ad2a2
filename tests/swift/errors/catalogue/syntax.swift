// What no grammar allows.
// exit: 2
// error: HERE
int = 3 x; // here
