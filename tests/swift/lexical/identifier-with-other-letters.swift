// Only ASCII letters are allowed in names.
// exit: 2
// error: HERE:5: unexpected character
int é = 1; // here
