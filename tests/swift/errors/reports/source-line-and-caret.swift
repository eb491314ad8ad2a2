// The message shows the line and marks the place.
// exit: 2
// error: HERE:7: variable heigt is not declared: did you mean 'height'?
// error:   8 | trace(heigt + 1); // here
// error:     |       ^
// stderr: any
int height = 3;
trace(heigt + 1); // here
