// The members of a bag of bags can be iterated.
// ranks: 2 4
// expect: trace: 1
// expect: trace: 2
bag<bag<int>> b;
bag<int> c;
c += 1;
c += 2;
b += c;
foreach x in b { foreach y in x { trace(y); } }
