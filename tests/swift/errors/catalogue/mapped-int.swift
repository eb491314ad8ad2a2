// A mapping of something else than a file.
// exit: 2
// error: HERE:5: variable x of type int cannot be mapped
int x<"a">; // here
