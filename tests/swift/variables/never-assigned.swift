// A variable that is read must be assigned on some path.
// exit: 2
// error: HERE:5: x is read here, but never assigned
int x;
trace("a",
    x); // here
