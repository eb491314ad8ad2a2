// Independent mistakes are all reported.
// exit: 2
// error: all-mistakes-are-reported.swift:7:9: cannot assign to a
// error: all-mistakes-are-reported.swift:8:7: variable x is not declared
// error: all-mistakes-are-reported.swift:9:1: function foo is not defined
// error: all-mistakes-are-reported.swift:10:9: operator + is not defined for int and string[]
int a = "a";
trace(x);
foo();
trace(1 + ["a"]);
