// A mapping to something else than a string.
// exit: 2
// error: HERE:8: f is mapped to a path, a string, but this has type int
file f<3>; // here
