// #define, with and without arguments, and #if work as in C.
// expect: trace: 12
// expect: trace: small
// expect: trace: no debug
#define N 3
#define TIMES(a, b) ((a) * (b))
trace(TIMES(N + 1, N));
#if N > 4
trace("large");
#elif N == 3
trace("small");
#else
trace("other");
#endif
#ifdef DEBUG
trace("debug");
#endif
#ifndef DEBUG
trace("no debug");
#endif
#undef N
#if defined(N)
trace("still defined");
#endif
