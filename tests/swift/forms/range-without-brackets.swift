// A range without brackets is accepted with a warning that tells what to write.
// warning: HERE:14: a range stands in brackets: write [0:N-1]
// expect: trace: 0
// expect: trace: 1
// expect: trace: 2
int N = 3;
foreach i in 0:N-1 { trace(i); } // here
