// Every loop variable must be updated.
// exit: 2
// error: HERE:10: loop variable i must be updated between iterations
for (int i = 0; i < 3; ) { trace(i); } // here
