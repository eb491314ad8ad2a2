// --check compiles, and runs nothing.
// opts: --check
trace("never");
