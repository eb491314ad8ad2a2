// Annotations of leaf functions are checked.
// exit: 2
// error: HERE:2: annotation @foo is not known for
// error: THERE:11: @dispatch=NOPE is not known
@pure @dispatch=worker (int o) a(int i) "turbine" "0.0" [ "set <<o>> 1" ];
@foo (int o) f(int i) "turbine" "0.0" [ "set <<o>> 1" ]; // here
@dispatch=NOPE (int o) g(int i) "turbine" "0.0" [ "set <<o>> 1" ]; // there
