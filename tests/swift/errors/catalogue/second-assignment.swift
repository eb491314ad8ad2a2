// A second assignment.
// exit: 2
// error: HERE:12: x cannot be assigned again: it already has been assigned at second-assignment.swift:4
int x = 1; x = 2; // here
