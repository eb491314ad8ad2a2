// Declarations in a chain are visible in the block around it.
// order: exact
// ranks: 2
// expect: trace: chain
// expect: trace: 5,6
trace("chain") => int x = 5 => int y = x + 1;
trace(x, y);
