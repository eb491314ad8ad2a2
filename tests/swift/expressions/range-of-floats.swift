// A range with a float is one of floats, whose elements have no drift.
// expect: trace: 11,0.3,1.0
// expect: trace: 5,0.0,1.0
float a[] = [0.0:1.0:0.1];
trace(size(a), string2float("%.10f" % a[3]), a[10]);
float b[] = [0:1:0.25];
trace(size(b), b[0], b[4]);
