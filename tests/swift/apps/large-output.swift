// Large outputs pass through files.
// expect: trace: 1288895
import files;
app (file o) f() { "seq" 200000 @stdout=o }
trace(length(read(f())) - 1 + 1);
