// A typedef is fully interchangeable with its type.
// expect: trace: 4,2,x
typedef count int;
typedef table count[string];
typedef rec pair;
type pair { string s; }
count n = 3;
int m = n + 1;
table t = { "a": n, "b": m };
rec r = pair("x");
trace(m, size(t), r.s);
