// So are pragmas.
// exit: 2
// error: HERE:3: pragmas are only allowed at the top level
main {
  pragma worktypedef w; // here
}
