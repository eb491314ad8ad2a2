// An input that is assigned.
// exit: 2
// error: HERE:12: assigning variable x is not permitted here
f(int x) { x = 3; } // here
