// The output of a program may be an element of an array, or a field.
// ranks: 2 4
// expect: trace: 0,3
// expect: trace: 1,3
// expect: trace: 3,3
import files;
type r { file f; }
app (file o) say(int i) { "echo" ("n" + i) @stdout=o }
file a[], d[string];
foreach i in [0:1] { a[i] = say(i); }
foreach f, i in a { trace(i, length(read(f))); }
d["x"] = say(7);
r x;
x.f = say(8);
trace(length(read(d["x"])), length(read(x.f)));
