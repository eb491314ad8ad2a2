// So are aliases of types.
// exit: 2
// error: HERE:3: type definitions are only allowed at the top level
main {
  typedef t int; // here
}
