// @suppress=unused_output silences it.
// expect: trace: x
import files;
@suppress=unused_output
app (file o) f() { "sh" "-c" "printf x > o.txt" }
file x<"o.txt"> = f();
trace(read(x));
