// Names consist of letters, digits and _, and are case-sensitive.
// expect: trace: 1,2,3,4
int a1_B = 1;
int A1_b = 2;
int _x = 3;
int __ = 4;
trace(a1_B, A1_b, _x, __);
