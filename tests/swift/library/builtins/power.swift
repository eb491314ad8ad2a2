// pow() of two ints or two floats gives a float.
// expect: trace: 8.0,0.5,1024.0
// expect: trace: 9.0,3.0
int two = 2;
trace(pow(two, 3), pow(two, -1), pow(2.0, 10.0));
trace(pow_integer(3, 2), pow_float(9.0, 0.5));
