// So are global constants.
// exit: 2
// error: HERE:3: global constants are only allowed at the top level
main {
  global const int C = 3; // here
}
