// A variable of a for loop that is declared outside is used if the loop reads it.
// expect: trace: 10
main {
  int n, i;
  for (n = 0, i = 0; i < 10; n = n + 1, i = i + 1) { }
  trace(n);
}
