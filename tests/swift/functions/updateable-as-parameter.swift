// An updateable is no parameter or output of a function.
// exit: 2
// error: HERE
f(updateable_float x) { trace(x); } // here
