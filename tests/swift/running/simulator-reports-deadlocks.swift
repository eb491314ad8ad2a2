// Deadlocks are found there, too.
// opts: --simulate 1
// exit: 1
// error: HERE waits for a (THERE)
int a[]; // there
a[0] = size(a); // here
