// Element k is start + k * step.
// expect: trace: 1,1
float a[] = [0.0:100.0:0.1];
trace(a[999] == 0.0 + 999.0 * 0.1, size(a) == 1001 || size(a) == 1000);
