// What has no name comes first.
// exit: 2
// error: HERE
f(int a=1, int b=2) { trace(a, b); }
f(a=3, 4); // here
