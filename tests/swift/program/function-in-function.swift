// So are functions.
// exit: 2
// error: HERE
main {
  (int o) inner(int i) { o = i; } // here
}
