// The elements of a loop may be unset where they are held by reference.
// order: exact
// ranks: 2
// expect: trace: key,0
// expect: trace: 5
type s { int n; }
s a[];
s x;
a[0] = x;
foreach v, k in a { trace("key", k) => x.n = 5; trace(v.n); }
