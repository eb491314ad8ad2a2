// Also for the members of arrays.
// expect: trace: 12
import files;
file a[];
a[0] = slow("1");
a[1] = slow("2");
trace(read(cat(a)));
app (file o) slow(string s) { "sh" "-c" "sleep 0.02; printf $0" s @stdout=o }
app (file o) cat(file f[]) { "cat" f @stdout=o }
