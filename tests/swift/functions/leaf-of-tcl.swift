// Leaf functions in Tcl are not available: a call fails when it runs.
// exit: 1
// expect: trace: other work
// error: HERE: f() is not available
(int o) f(int i) "turbine" "0.0" [ "set <<o>> 1" ];
trace("other work") => trace(f(1)); // here
