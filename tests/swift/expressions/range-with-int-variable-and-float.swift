// An int variable in a range of floats is a mistake.
// exit: 2
// error: HERE
int n = 2;
trace(size([0.0:n])); // here
