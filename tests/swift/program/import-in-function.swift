// An import is only allowed at the top level.
// exit: 2
// error: HERE:3: imports are only allowed at the top level
main {
  import io; // here
}
