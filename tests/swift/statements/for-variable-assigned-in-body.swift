// Nor can the body assign it.
// exit: 2
// error: HERE
for (int i = 0; i < 3; i = i + 1) { i = 2; } // here
