// So must the index of an assignment.
// exit: 2
// error: HERE:3: array key type mismatch
int a[];
a["x"] = 1; // here
