// Reading a field that is not there is a mistake.
// exit: 2
// error: HERE:9: struct p has no field nn: did you mean 'n'?
type p { int n; }
p x = p(1);
trace(x.nn); // here
