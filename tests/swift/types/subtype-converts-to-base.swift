// A subtype is accepted where its base type is wanted; its arithmetic is that of the base type.
// expect: trace: 2.5,5.0,6.0
type metres float;
metres m = metres(2.5);
float f = m;
float twice = m * 2.0;
trace(f, twice, add(m, 3.5));
(float o) add(float a, float b) { o = a + b; }
