// @f(x) is an old spelling of f(x).
// warning: HERE:14: @strlen(...) is an old spelling
// expect: trace: 3
import string;
int n = 0 + @strlen("abc"); // here
trace(n);
