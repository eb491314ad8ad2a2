// + adds ints and floats.
// expect: trace: 5,5.5,-1
int a = 2;
float b = 2.5;
trace(a + 3, b + 3, a + -3);
