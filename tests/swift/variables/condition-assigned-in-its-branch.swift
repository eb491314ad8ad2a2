// The variable of a condition cannot be assigned in its branch: it would wait for itself.
// exit: 2
// error: HERE:5
boolean a;
if (a) { a = true; } // here
trace(a);
