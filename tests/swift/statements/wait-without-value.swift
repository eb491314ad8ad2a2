// Parentheses with nothing to wait for are a mistake.
// exit: 2
// error: HERE
wait () { trace(1); } // here
