// A run without failures ends with 0, also if nothing is printed.
int a = 1;
wait (a) { }
