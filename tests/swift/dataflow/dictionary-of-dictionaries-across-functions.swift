// Nested dictionaries are filled by loops and read by keys.
// ranks: 2 4
// expect: trace: 3,4,b2
string d[string][int];
foreach s in ["a", "b", "c"] { foreach i in [0:3] { d[s][i] = s + i; } }
trace(size(d), size(d["b"]), d["b"][2]);
