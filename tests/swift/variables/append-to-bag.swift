// += appends to bags, also to those in arrays.
// expect: trace: 3,2
bag<int> b;
bag<string> m[];
b += 1;
b += 1;
foreach i in [0:0] { b += i; }
m[4] += "x";
m[4] += "y";
trace(bag_size(b), bag_size(m[4]));
