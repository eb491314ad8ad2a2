// An array is mapped, and merged by a tree of calls.
// expect: trace: A1A2B1B2
import files;
import string;
file A[];
foreach i in [0:3] { A[i] = write(substring("a1a2b1b2", 2 * i, 2)); }
file B[];
foreach f, i in A { B[i] = convert(A[i]); }
trace(read(merge(analyze(B[0], B[1]), analyze(B[2], B[3]))));
app (file o) convert(file i) { "tr" "a-z" "A-Z" @stdin=i @stdout=o }
app (file o) analyze(file a, file b) { "cat" a b @stdout=o }
app (file o) merge(file a, file b) { "cat" a b @stdout=o }
