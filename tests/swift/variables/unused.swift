// A variable that is assigned and never read causes a warning.
// warning: HERE:7: variable i is not used
// expect: trace: 1
main {
  int i; // here
  trace(1);
}
