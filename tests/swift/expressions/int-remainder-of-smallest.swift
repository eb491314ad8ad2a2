// The remainder of the smallest int by -1 is 0.
// expect: trace: 0
int most = 9223372036854775807;
trace((-most - 1) %% -1);
