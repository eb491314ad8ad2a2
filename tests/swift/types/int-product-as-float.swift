// A product with an int variable is an int.
// exit: 2
// error: HERE:13: cannot assign to g
int i = 2;
float g = i * 3; // here
trace(g);
