// Loops, ifs and blocks can only end a chain.
// exit: 2
// error: HERE
foreach i in [1:2] { trace(i); } => trace("end"); // here
