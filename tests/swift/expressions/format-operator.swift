// % formats a value or a tuple of values.
// expect: trace: 3 is 2.50 and x, or 1
// expect: trace: 007
// expect: trace: a%
trace("%i is %.2f and %s, or %i" % (3, 2.5, "x", true));
trace("%03i" % 7);
trace("%s%%" % "a");
