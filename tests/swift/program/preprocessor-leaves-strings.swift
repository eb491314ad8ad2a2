// Macros are not expanded inside strings, and comment marks in strings stay.
// expect: trace: N // N /* N */,5
#define N 5
trace("N // N /* N */", N);
