// It must have a literal as its first value.
// exit: 2
// error: HERE:18
updateable_float x; // here
x <incr> := 1.0;
