// And only once.
// exit: 2
// error: HERE
for (int i = 0; i < 3; i = i + 1, i = i + 2) { trace(i); } // here
