// A leaf function of Tcl needs a procedure or a template.
// exit: 2
// error: HERE
(int o) f(int i) "package" "0.0"; // here
trace(f(1));
