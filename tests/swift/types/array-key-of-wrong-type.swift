// An index must have the type of the keys.
// exit: 2
// error: HERE:10: array key type mismatch
string d[string] = { "a": "b" };
trace(d[ 1 ]); // here
