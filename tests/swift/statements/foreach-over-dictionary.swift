// Keys have their type.
// expect: trace: x1,1.5
// expect: trace: y1,2.5
foreach v, k in { "x": 1.5, "y": 2.5 } { trace(k + 1, v); }
