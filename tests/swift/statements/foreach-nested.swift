// Loops nest, and inner ones may use the variables of outer ones.
// expect: trace: 11
// expect: trace: 12
// expect: trace: 22
foreach i in [1:2] { foreach j in [i:2] { trace(10 * i + j); } }
