// Ranges may end at the largest int.
// expect: trace: 9223372036854775804
// expect: trace: 9223372036854775807
foreach i in [9223372036854775804:9223372036854775807:3] { trace(i); }
