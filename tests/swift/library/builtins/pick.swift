// pick_stable_integer_string() keeps the order of the indices; the other does not promise one.
// expect: trace: 2,c,a
// expect: trace: 2
string a[] = ["a", "b", "c"];
string p[] = pick_stable_integer_string(a, [2, 0]);
trace(size(p), p[0], p[1]);
trace(size(pick_integer_string(a, [1, 2])));
