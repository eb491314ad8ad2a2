// A void cannot be traced.
// exit: 2
// error: HERE:7
void v = propagate();
trace(v); // here
