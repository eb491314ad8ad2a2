// The path of an output may be part of an expression.
// expect: trace: abc
import files;
app (file o) f(string s) { "sh" "-c" ("printf " + s + " > " + filename(o)) }
file x<"o.txt"> = f("abc");
trace(read(x));
