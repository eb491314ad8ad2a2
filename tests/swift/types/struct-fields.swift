// Fields are assigned one by one, in any order, and read as s.f.
// expect: trace: a,3,2
type rec { string name; int n; float w[]; }
rec r;
r.n = 3;
r.w[0] = 0.5;
r.w[1] = 1.5;
r.name = "a";
trace(r.name, r.n, size(r.w));
