// A variable cannot be that of two nested loops.
// exit: 2
// error: HERE
int i;
for (i = 0; i < 3; i = i + 1) {
  for (i = 0; i < 2; i = i + 1) { trace(i); } // here
}
