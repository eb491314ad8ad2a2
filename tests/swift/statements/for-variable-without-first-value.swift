// Every loop variable has a first value.
// exit: 2
// error: HERE
for (int i; i < 3; i = i + 1) { trace(i); } // here
