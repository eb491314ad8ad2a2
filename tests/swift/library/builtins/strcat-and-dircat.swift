// strcat() joins values of any number; dircat() joins parts of a path.
// expect: trace: a12.5b
// expect: trace: a/b/c,a///b,a
trace(strcat("a", 1, 2.5, "b"));
trace(dircat("a", "b", "c"), dircat("a/", "/b"), dircat("a"));
