// Arrays nest freely, with keys of different types.
// expect: trace: 1.5,1,1
// expect: trace: 2,2
float m[][];
m[0][1] = 1.5;
int d[string][boolean][];
d["a"][true][4] = 1;
d["b"][false][5] = 1;
d["b"][true][5] = 1;
trace(m[0][1], d["a"][true][4], size(d["a"]));
trace(size(d), size(d["b"]));
