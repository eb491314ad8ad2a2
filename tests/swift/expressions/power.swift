// ** gives a float, also for ints.
// expect: trace: 8.0,0.5,2.25,1.0,4.0
int a = 2;
trace(a ** 3, 2 ** -1, 1.5 ** 2, 0 ** 0, 2.0 ** a0());
(float o) a0() { o = 2.0; }
