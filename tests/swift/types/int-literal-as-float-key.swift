// An int literal is accepted for a float key.
// expect: trace: two,two
string d[float];
d[2] = "two";
trace(d[2.0], d[2]);
