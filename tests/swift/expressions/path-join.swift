// / joins strings as paths, without cleaning them up.
// expect: trace: a/b/c,a///b,/x
string a = "a";
trace(a / "b" / "c", "a/" / "/b", "" / "x");
