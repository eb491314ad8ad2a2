// @waiton and @waitonall change nothing.
// expect: trace: 3,3
int i, j;
@waiton=i for (i = 0; i < 3; i = i + 1) { }
@waitonall for (j = 0; j < 3; j = j + 1) { }
trace(i, j);
