// repr() and array_repr() give the text of any value.
// expect: trace: 1,2.5,s,1
// expect: trace: 2.5,3.0
trace(repr(1), repr(2.5), repr("s"), repr(true));
string r[] = array_repr([2.5, 3]);
trace(r[0], r[1]);
