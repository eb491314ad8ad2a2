// external is a subtype of void.
// expect: trace: 1
external e = external(propagate());
wait (e) { trace(1); }
