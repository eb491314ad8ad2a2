// % binds stronger than +.
// expect: trace: 1b
// expect: trace: x2y
trace("%s" % 1 + "b");
trace("x" + "%i" % 2 + "y");
