// Variables are declared alone, in lists, with values, and with brackets.
// expect: trace: 1,2,3,4
// expect: trace: 5,6
int a;
int b = 2, c, d[];
a = 1;
c = 3;
d[0] = 4;
trace(a, b, c, d[0]);
int e[] = [5], f = 6;
trace(e[0], f);
