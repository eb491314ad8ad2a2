// Types are only defined at the top level.
// exit: 2
// error: HERE:3: type definitions are only allowed at the top level
main {
  type t int; // here
}
