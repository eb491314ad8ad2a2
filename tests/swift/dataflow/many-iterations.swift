// A loop over a hundred thousand numbers.
// ranks: 2 4
// expect: trace: 100000
bag<int> b;
foreach i in [1:100000] { b += 1; }
trace(bag_size(b));
