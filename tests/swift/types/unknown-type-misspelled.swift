// A similar name is suggested.
// exit: 2
// error: HERE:1: type sting is not defined: did you mean 'string'?
sting v = "a"; // here
trace(v);
