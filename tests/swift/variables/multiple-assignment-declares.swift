// Names that are not declared are declared by it.
// expect: trace: 1,x
q, r = f();
trace(q, r);
(int a, string b) f() { a = 1; b = "x"; }
