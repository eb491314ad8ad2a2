// A call of a deprecated function causes a warning.
// warning: HERE
// stderr: any
// exit: 1
// error: not available
@deprecated (int o) f(int i) "turbine" "0.0" [ "set <<o>> 1" ];
trace(f(1)); // here
