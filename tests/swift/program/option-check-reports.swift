// --check reports mistakes.
// opts: --check
// exit: 2
// error: HERE:7: function nothing is not defined
trace(nothing()); // here
