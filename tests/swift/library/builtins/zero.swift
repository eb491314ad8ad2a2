// zero() is 0 after its argument is set.
// expect: trace: 0
trace(zero(propagate(1)));
