// A bag can have members of any type.
// expect: trace: 2,3
// expect: trace: 1,1
bag<int[]> b;
b += [1, 2];
b += [4];
int sizes[string];
foreach a in b { sizes["n" + size(a)] = 1; }
trace(bag_size(b), size(sizes) + 1);
trace(sizes["n1"], sizes["n2"]);
