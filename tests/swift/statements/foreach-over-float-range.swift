// A range of floats has int keys as well.
// expect: trace: 0.5,0
// expect: trace: 1.0,1
// expect: trace: 1.5,2
foreach v, k in [0.5:1.5:0.5] { trace(v, k); }
