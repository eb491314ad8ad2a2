// A value that needs itself.
// exit: 1
// error: HERE waits for s (HERE)
string s; s = s + "x"; wait (s) { } // here
