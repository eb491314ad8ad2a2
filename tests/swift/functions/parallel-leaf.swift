// So do parallel functions.
// exit: 1
// error: HERE: f() is not available
@par @dispatch=WORKER (int o) f(int i) "turbine" "0.0" [ "set <<o>> 1" ];
int x = @par=2 f(1); // here
trace(x);
