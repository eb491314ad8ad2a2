// An array that is never complete is named.
// exit: 1
// error: HERE waits for a (THERE)
int a[]; // there
int n = size(a); // here
a[n] = 1;
