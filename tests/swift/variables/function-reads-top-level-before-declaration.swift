// Also in functions that are defined above them in the text.
// expect: trace: 3
f(int n) { trace(n); }
int x = 3;
f(x);
