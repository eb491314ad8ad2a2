// The name of a struct is a function that takes all fields in order.
// expect: trace: a,3,1.0,q
type other { string s; }
type rec { string name; int n; float w[]; other o; }
rec r = rec("a", 3, [1.0], other("q"));
trace(r.name, r.n, r.w[0], r.o.s);
