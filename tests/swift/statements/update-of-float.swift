// Other variables cannot be updated.
// exit: 2
// error: HERE
float x = 1;
x <incr> := 1.0; // here
