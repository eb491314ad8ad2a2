// Chains in the iterations of a loop are independent.
// ranks: 2 4
// expect: trace: 1,a
// expect: trace: 1,b
// expect: trace: 2,a
// expect: trace: 2,b
foreach i in [1:2] { trace(i, "a") => trace(i, "b"); }
