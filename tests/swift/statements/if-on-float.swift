// A condition cannot be a float.
// exit: 2
// error: HERE:5: the condition of an if statement must be boolean or int, but it has type float
if (1.5) { trace(1); } // here
