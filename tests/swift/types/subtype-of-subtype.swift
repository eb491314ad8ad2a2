// A subtype may have subtypes.
// expect: trace: 3,4
type a int;
type b a;
b x = b(a(3));
int y = x + 1;
trace(f(x), y);
(int o) f(a i) { o = i; }
