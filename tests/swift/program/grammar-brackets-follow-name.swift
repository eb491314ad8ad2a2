// The brackets of an array follow the name.
// exit: 2
// error: HERE
int[] a = [1]; // here
