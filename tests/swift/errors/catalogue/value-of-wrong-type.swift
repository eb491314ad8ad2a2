// A value of another type than its variable.
// exit: 2
// error: HERE:9: cannot assign to x: it has type int, but the value has type string
int x = "a"; // here
