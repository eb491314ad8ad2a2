// # makes a string of an argument, and ## joins two tokens.
// expect: trace: a + b
// expect: trace: 4
#define TEXT(x) #x
#define JOIN(a, b) a ## b
trace(TEXT(a + b));
int xy = 4;
trace(JOIN(x, y));
