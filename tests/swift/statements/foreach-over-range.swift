// The key of a range counts from 0.
// expect: trace: 3,0
// expect: trace: 5,1
// expect: trace: 7,2
foreach v, k in [3:8:2] { trace(v, k); }
