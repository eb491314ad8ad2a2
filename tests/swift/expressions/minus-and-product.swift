// - and * work on two ints or two floats.
// expect: trace: -1,6,-0.5,3.0
int a = 2;
float b = 1.5;
trace(a - 3, a * 3, b - 2, b * 2);
