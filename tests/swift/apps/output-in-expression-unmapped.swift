// Also if the output is a temporary file.
// expect: trace: abc
import files;
app (file o) f(string s) { "sh" "-c" ("printf " + s + " > " + filename(o)) }
trace(read(f("abc")));
