// An update needs a float.
// exit: 2
// error: HERE
int i = 1;
updateable_float x = 1;
x <incr> := i; // here
