// A parallel function runs on workers.
// exit: 2
// error: HERE
@par @dispatch=CONTROL (int o) f(int i) "turbine" "0.0" [ "set <<o>> 1" ]; // here
