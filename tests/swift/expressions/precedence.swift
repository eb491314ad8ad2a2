// Operators bind as in the table of precedence, and all are left-associative.
// expect: trace: 14,20,12
// expect: trace: 4.0,64.0,0.25
// expect: trace: 1,1,0
// expect: trace: 102,-3
// expect: trace: 1,1
int a[] = [7];
trace(2 + 3 * 4, (2 + 3) * 4, 20 - 5 - 3);
trace(-2 ** 2, 2 ** 3 ** 2, 2 ** -2);
trace(!true || true, 1 + 1 == 2 && 2 < 3, !(1 < 2) == true);
trace(100 - 2 * 3 %/ 4 + 7 %% 4, -a[0] + 4);
trace(true || true && false, 1 < 2 == 2 > 1);
