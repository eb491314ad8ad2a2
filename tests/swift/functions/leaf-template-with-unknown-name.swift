// A template only mentions parameters.
// exit: 2
// error: HERE
(int o) f(int i) "turbine" "0.0" [ "set <<o>> <<zz>>" ]; // here
trace(f(1));
