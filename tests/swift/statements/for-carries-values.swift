// Loop variables are updated together, from the values of the finished iteration.
// expect: trace: 55,89
// expect: trace: 10
int a, b;
for (a = 0, b = 1, int i = 0; i < 10; i = i + 1, a = b, b = a + b) { }
trace(a, b);
int n;
for (n = 0; n < 10; n = n + 1) { }
trace(n);
