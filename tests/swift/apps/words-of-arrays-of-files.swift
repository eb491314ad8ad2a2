// So do arrays of files.
// expect: trace: 123
import files;
file a[];
foreach i in [1:3] { a[i] = write("" + i); }
trace(read(cat(a)));
app (file o) cat(file f[]) { "cat" f @stdout=o }
