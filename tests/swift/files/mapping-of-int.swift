// Only files can be mapped.
// exit: 2
// error: HERE:5: variable x of type int cannot be mapped: only a file or a url can
int x<"a"> = 1; // here
trace(x);
