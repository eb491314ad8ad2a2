// The mark stands right after letters of any width and tabs.
// exit: 2
// error: HERE:16: variable y is not declared
trace("é→", 1, y); // here
