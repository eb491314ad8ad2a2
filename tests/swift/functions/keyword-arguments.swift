// Parameters with defaults may be given by their names, in any order.
// expect: trace: a,8,.,0
// expect: trace: b,8,+,0
// expect: trace: c,-1,.,1
// expect: trace: d,1,.,1
f("a");
f("b", pad="+");
f("c", upper=true, width=-1);
f("d", 1, upper=true);
f(string s, int width=8, string pad=".", boolean upper=false) { trace(s, width, pad, upper); }
