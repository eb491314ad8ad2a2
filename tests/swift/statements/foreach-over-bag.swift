// A bag is iterated without keys.
// expect: trace: 1
// expect: trace: 1
// expect: trace: 2
bag<int> b;
b += 1;
b += 1;
b += 2;
foreach v in b { trace(v); }
