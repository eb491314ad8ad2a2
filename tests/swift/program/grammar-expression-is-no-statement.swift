// A bare expression is no statement.
// exit: 2
// error: HERE:1
1 + 2; // here
