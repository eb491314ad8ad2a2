// A literal array of int literals is also an array of floats.
// expect: trace: 3.0,2.5
float a[] = [1, 2];
float b[] = [0, 2.5];
trace(a[0] + a[1], b[1]);
