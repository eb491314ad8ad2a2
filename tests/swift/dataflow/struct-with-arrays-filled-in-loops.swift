// Arrays inside of structs are filled and closed like others.
// ranks: 2 4
// expect: trace: 5,2,3
type t { int a[]; inner i; }
type inner { int m[][]; }
t x;
foreach k in [0:4] { x.a[k] = k; }
foreach k in [0:1] { foreach l in [0:2] { x.i.m[k][l] = l; } }
trace(size(x.a), size(x.i.m), size(x.i.m[1]));
