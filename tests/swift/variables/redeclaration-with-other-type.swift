// A different type makes no difference.
// exit: 2
// error: HERE:8: variable x has already been declared
int x = 1;
string x = "a"; // here
trace(x);
