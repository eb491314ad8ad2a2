// Nothing else may be updated.
// exit: 2
// error: HERE
int j;
for (int i = 0; i < 3; i = i + 1, j = i) { trace(i); } // here
trace(j);
