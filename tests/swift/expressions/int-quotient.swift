// %/ truncates toward zero.
// expect: trace: 3,-3,-3,3,0
int a = 17;
trace(a %/ 5, -a %/ 5, a %/ -5, -a %/ -5, 4 %/ 5);
