// So does a wait.
// exit: 1
// error: HERE waits for a (THERE)
int a[]; // there
wait (a) { a[1] = 2; } // here
