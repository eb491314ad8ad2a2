// The arrow => may be written = >.
// order: exact
// ranks: 2
// expect: trace: first
// expect: trace: second
trace("first") = > trace("second");
