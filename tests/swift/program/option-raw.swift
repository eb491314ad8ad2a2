// -p switches the preprocessor off.
// opts: -p
// expect: trace: N
#define N 3
string N = "N";
trace(N);
