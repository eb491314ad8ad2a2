// If nobody reads them, the run succeeds.
// expect: trace: 1
// stderr: any
int a, b;
a = b;
b = a;
trace(1);
