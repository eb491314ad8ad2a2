// Digits are not grouped by _.
// exit: 2
// error: HERE:7: malformed number 1_000
trace(1_000); // here
