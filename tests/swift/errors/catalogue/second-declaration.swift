// A second declaration.
// exit: 2
// error: HERE:16: variable x has already been declared at second-declaration.swift:4
int x;     int x; // here
