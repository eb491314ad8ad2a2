// A loop over an array that writes it waits for itself.
// exit: 1
// error: HERE waits for a (THERE)
// expect: trace: other work
int a[]; // there
a[0] = 1;
foreach v in a { a[v] = v; } // here
trace("other work");
