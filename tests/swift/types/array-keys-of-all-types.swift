// Keys can be int, string, float and boolean.
// expect: trace: 1,2,3,4
int a[];
int b[string];
int c[float];
int d[boolean];
a[-5] = 1;
b["k"] = 2;
c[2.5] = 3;
d[false] = 4;
trace(a[-5], b["k"], c[2.5], d[false]);
