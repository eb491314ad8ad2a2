// Lists have no trailing commas.
// exit: 2
// error: HERE
// error: THERE
int a[] = [1, 2,]; // here
trace(1,); // there
