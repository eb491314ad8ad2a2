// Subtypes are members of arrays, fields of structs and keys.
// expect: trace: 4,2,5,x
type t int;
type p { t n; }
t a[] = [t(3), t(4)];
p s = p(t(5));
string d[t];
d[t(7)] = "x";
trace(a[1], size(a), s.n, d[t(7)]);
