// max() and min() of two ints or two floats, and their aliases.
// expect: trace: 11,3,2.5,-1.5
// expect: trace: 7,-7,0.5,0.25
trace(max(3, 11), min(3, 11), max(2.5, -1.5), min(2.5, -1.5));
trace(max_integer(7, -7), min_integer(7, -7), max_float(0.5, 0.25), min_float(0.5, 0.25));
