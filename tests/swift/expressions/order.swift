// <, <=, > and >= compare numbers.
// expect: trace: 1,1,0,0
// expect: trace: 1,1,0,1
int a = 1;
float x = 1.5;
trace(a < 2, a <= 1, a > 1, a >= 2);
trace(x < 2, x <= 1.5, x > 2.0, x >= 1.5);
